// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Makes an object with the inode number of one that is gone, where the file system gives it again. */
final class ReusedNumber {

  /** Deadline in ns. */
  private static final long DEADLINE = TimeUnit.SECONDS.toNanos(2);
  private static final int MANY = 500;

  interface Maker {

    void make(Path path) throws IOException;
  }

  private ReusedNumber() {}

  static void replace(Path path, Maker maker) throws IOException {
    Inode old = Stat.of(path).inode();
    Files.delete(path);
    make(path, old, maker);
  }

  /**
   * Makes objects until one has the number, and a later birth; skips the test on systems that give it to none. The
   * others stay until the end, or there are many: ext4 would give the lowest of their numbers again and again.
   */
  static void make(Path path, Inode old, Maker maker) throws IOException {
    long begin = System.nanoTime();
    Deque<Path> others = new ArrayDeque<>();
    maker.make(path);
    Inode made = Stat.of(path).inode();
    while (!made.number().equals(old.number()) || !made.born().isAfter(old.born())) {
      Assumptions.assumeTrue(System.nanoTime() - begin < DEADLINE,
          "The file system gives no inode number a second time: use ext4");
      if (made.number().equals(old.number())) {
        Files.delete(path);
      } else {
        others.add(Files.move(path, path.resolveSibling("other number " + others.size())));
      }
      if (others.size() == MANY) {
        delete(others);
      }
      maker.make(path);
      made = Stat.of(path).inode();
    }
    delete(others);
  }

  private static void delete(Deque<Path> all) throws IOException {
    while (!all.isEmpty()) {
      Files.delete(all.remove());
    }
  }
}
