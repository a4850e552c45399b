// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * What symbolic links lead to, as bytes: to the server they mean nothing, so they need not be text. Java's
 * strings lose what this machine's locale cannot express; its paths do not, and URIs tell their bytes.
 */
final class LinkText {

  /** Nothing is in what is no directory: to make a URI Java asks whether the path leads to one. */
  private static final Path NOWHERE = Path.of("/dev/null");

  private LinkText() {}

  /**
   * The path of some bytes.
   *
   * @throws NfsException with INVAL if no link has such a text
   */
  static Path path(byte[] text) throws NfsException {
    if (text.length == 0) {
      throw new NfsException(NfsStatus.INVAL, "a link to nothing");
    }
    boolean absolute = text[0] == '/';
    String escaped = HexFormat.of().withPrefix("%")
        .formatHex(text, absolute ? 1 : 0, text.length);
    try {
      Path path = Path.of(URI.create("file:///" + escaped));
      return absolute ? path : path.subpath(0, path.getNameCount());
    } catch (IllegalArgumentException e) {
      throw new NfsException(NfsStatus.INVAL, "a zero byte is in no path");
    }
  }

  /** The bytes of a path. */
  static byte[] bytes(Path path) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // Whatever the locale, a slash is a slash.
    String text = path.toString();
    for (int i = 0; i < text.length() && text.charAt(i) == '/'; i++) {
      bytes.write('/');
    }
    if (path.getNameCount() > 0) {
      Path relative = path.subpath(0, path.getNameCount());
      String uri = NOWHERE.resolve(relative).toUri().getRawPath();
      unescape(uri.substring(NOWHERE.toString().length() + 1), bytes);
    }
    return bytes.toByteArray();
  }

  private static void unescape(String escaped, ByteArrayOutputStream bytes) {
    byte[] all = escaped.getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < all.length; i++) {
      if (all[i] == '%') {
        bytes.write(HexFormat.fromHexDigits(escaped, i + 1, i + 3));
        i += 2;
      } else {
        bytes.write(all[i]);
      }
    }
  }
}
