// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The file that a payload is mapped from. It stays open so that it can be asked for its size, under whatever name it
 * has meanwhile: a call whose memory is gone would cost its connection, and the next one when it is sent again.
 */
final class MappedFile {

  private final Workers workers;
  private final Path path;
  private final FileChannel channel;
  private final long end;

  private MappedFile(Workers workers, Path path, FileChannel channel, long end) {
    this.workers = workers;
    this.path = path;
    this.channel = channel;
    this.end = end;
  }

  /**
   * Maps a range.
   *
   * @param vertx looks at the file by its workers: those of a verticle that makes a call may end before the call
   * @param path the name it had, for messages
   * @param channel the memory's from now on, which closes it
   * @param offset first byte
   * @param length number of bytes
   * @return with one owner
   */
  static PayloadMemory map(Vertx vertx, Path path, FileChannel channel, long offset, int length)
      throws IOException {
    return PayloadMemory.of(channel.map(FileChannel.MapMode.READ_ONLY, offset, length),
        new MappedFile(new Workers(vertx), path, channel, offset + length));
  }

  /** Whether all pages are still there; fails if not. */
  Future<Void> check() {
    return workers.run(() -> {
      if (channel.size() < end) {
        throw new VerbsException(VerbsException.Kind.RESOURCES, path + " has shrunk to " + channel.size()
            + " bytes while a payload is mapped that ends at " + end);
      }
      return null;
    });
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It was only read.
    }
  }
}
