// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What is in trees of files, in a form that can be compared with what a shell says. */
final class Trees {

  private Trees() {}

  /** A line for each regular file, as {@code sha256sum} has it, sorted by path. */
  static List<String> sums(Path root) {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Trees::isFile).map(file -> sha256(file) + "  "
          + root.relativize(file)).sorted((a, b) -> a.substring(64).compareTo(b.substring(64)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isFile(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** How large all regular files are together. */
  static long bytes(Path root) {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Trees::isFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes folders with files of different sizes and arbitrary content. */
  static void make(Path root, int folders, int files, int meanSize) {
    Random random = new Random(folders);
    try {
      for (int folder = 0; folder < folders; folder++) {
        Path at = Files.createDirectories(root.resolve("folder " + folder));
        for (int file = 0; file < files; file++) {
          byte[] content = new byte[2 * meanSize * file / Math.max(1, files - 1)];
          random.nextBytes(content);
          Files.write(at.resolve("file-" + file), content);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String sha256(Path file) {
    try (InputStream in = Files.newInputStream(file);
        DigestOutputStream out = new DigestOutputStream(DigestOutputStream.nullOutputStream(),
            MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(out);
      return HexFormat.of().formatHex(out.getMessageDigest().digest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
