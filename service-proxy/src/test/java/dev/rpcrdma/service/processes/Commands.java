// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/** What a process of a test is told on its standard input, a word and its argument on each line. */
final class Commands {

  private Commands() {}

  /** What is thrown ends the process: the test is not to wait for it. */
  static void dieOfExceptions() {
    Thread.currentThread().setUncaughtExceptionHandler((thread, cause) -> {
      cause.printStackTrace();
      Runtime.getRuntime().halt(1);
    });
  }

  /** Until the input ends, as it does when the test is gone: nothing is left behind then. */
  static void follow(Map<String, Consumer<String>> commands) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", 2);
      commands.get(words[0]).accept(words.length == 1 ? "" : words[1]);
    }
    Runtime.getRuntime().halt(0);
  }

  static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
