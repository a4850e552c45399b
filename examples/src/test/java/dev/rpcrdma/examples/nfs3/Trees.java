package dev.rpcrdma.examples.nfs3;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** What is in trees of files, in a form that can be compared with what a shell says. */
final class Trees {

  private Trees() {}

  /** A line for each regular file, as {@code sha256sum} has it, sorted by path. */
  static List<String> sums(Path root) {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).map(file -> sha256(file) + "  "
          + root.relativize(file)).sorted((a, b) -> a.substring(64).compareTo(b.substring(64)))
          .toList();
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
