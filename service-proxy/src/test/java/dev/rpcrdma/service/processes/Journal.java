// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of lines that outlives its process: each is with the operating system when {@link #add} returns. */
final class Journal {

  private final FileChannel file;

  Journal(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  synchronized void add(String line) {
    ByteBuffer bytes = StandardCharsets.US_ASCII.encode(line + "\n");
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
