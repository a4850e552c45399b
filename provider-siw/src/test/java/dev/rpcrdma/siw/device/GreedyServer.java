// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/**
 * A process that listens, and takes every file descriptor it may have when it is told to. It obeys
 * one word in each line of its input, answers each with a line, and ends with its input.
 */
final class GreedyServer {

  private final VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT);
  private final List<FileInputStream> taken = new ArrayList<>();

  private GreedyServer() {}

  public static void main(String[] args) throws IOException {
    // Apart from the log of whoever complains.
    PrintStream answers = System.out;
    System.setOut(System.err);
    GreedyServer server = new GreedyServer();
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      answers.println(server.obey(order));
    }
    server.bed.close();
  }

  private String obey(String order) throws IOException {
    switch (order) {
      case "listen":
        loadAllThatIsNeeded();
        return String.valueOf(bed.listen(request ->
            bed.accept(request, bed.server(), ConnectionOptions.DEFAULT)).localAddress().port());
      case "take":
        take();
        return "taken";
      case "free":
        for (FileInputStream file : taken) {
          file.close();
        }
        return "free";
      case "cpu":
        return String.valueOf(cpuMillis());
      default:
        throw new IllegalArgumentException(order);
    }
  }

  /**
   * A class that is first needed when there is no descriptor could never be loaded any more. Both ends are
   * gone when this returns, as else their descriptors would come free when all others are taken.
   */
  private void loadAllThatIsNeeded() {
    var both = bed.connect();
    Waiting.await(both.client().close());
    both.server().awaitDisconnected();
    cpuMillis();
    Logger.getLogger(GreedyServer.class.getName()).warning("this is how to log");
  }

  private static long cpuMillis() {
    return TimeUnit.NANOSECONDS.toMillis(((com.sun.management.OperatingSystemMXBean)
        ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime());
  }

  private void take() {
    try {
      while (true) {
        taken.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException none) {
      // No descriptor is left, as it shall be.
    }
  }
}
