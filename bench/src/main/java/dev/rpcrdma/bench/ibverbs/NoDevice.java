// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.ibverbs;

import dev.rpcrdma.testkit.lab.DebianTools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jnr.ffi.LibraryLoader;

/** A library whose queues complete at once what is posted to them; compiled when it is needed. */
public interface NoDevice {

  /**
   * The device.
   *
   * @return a {@code struct ibv_context}
   */
  long device();

  /**
   * Posts and polls in C.
   *
   * @param count how often
   * @param chain how many Receives and Sends each time
   * @return how many completions there were
   */
  long rounds(long count, int chain);

  /**
   * Compiles and loads it.
   *
   * @return the library
   * @throws IOException if there is no compiler
   * @throws InterruptedException if this thread is interrupted
   */
  static NoDevice load() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("rpcrdma-bench");
    Path source = folder.resolve("queues.c");
    Path library = folder.resolve("queues.so");
    try (InputStream in = NoDevice.class.getResourceAsStream("/queues.c")) {
      Files.write(source, in.readAllBytes());
      DebianTools.run(folder, List.of("gcc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString()));
      return LibraryLoader.create(NoDevice.class).load(library.toString());
    } finally {
      for (String name : List.of("queues.c", "queues.so", "output")) {
        Files.deleteIfExists(folder.resolve(name));
      }
      Files.delete(folder);
    }
  }
}
