// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of Vert.x that a program runs with, which a dependency of it may have made older than what this was built
 * for: Maven takes the one that is declared nearest. Classes that are missing would be found out on some event loop,
 * where nobody hears of it.
 */
public final class VertxVersion {

  private static final int MAJOR = 5;
  private static final int OLDEST_MINOR = 1;
  private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final String FOUND = found();

  private VertxVersion() {}

  /**
   * Refuses a version that cannot do.
   *
   * @throws IllegalStateException if this program has one
   */
  public static void check() {
    check(FOUND);
  }

  /**
   * Refuses a version that cannot do.
   *
   * @param version such as 5.1.1; what is no version is not judged
   */
  static void check(String version) {
    Matcher numbers = NUMBERS.matcher(version);
    if (numbers.matches() && !fits(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))) {
      throw new IllegalStateException("vertx-rpcrdma needs Vert.x " + MAJOR + "." + OLDEST_MINOR + " or newer of "
          + MAJOR + ", and finds " + version + ", which some dependency has brought: have the build import the bom"
          + " io.vertx:vertx-dependencies of the version that all of it is to use");
    }
  }

  private static boolean fits(int major, int minor) {
    return major == MAJOR && minor >= OLDEST_MINOR;
  }

  /** What Vert.x says of itself; empty if it was packed anew without that. */
  private static String found() {
    try (InputStream in = Vertx.class.getResourceAsStream("/META-INF/vertx/vertx-version.txt")) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
