// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.loop;

import io.vertx.core.Vertx;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of Vert.x that a program runs with, which a dependency of it may have made older than what this was built
 * for: Maven takes the one that is declared nearest. Classes that are missing would be found out on some event loop,
 * where nobody hears of it.
 */
public final class VertxVersion {

  /** In it there is all that this calls. */
  static final Version OLDEST = new Version(5, 1, 1);
  /** The newest one that all classes of this were linked against, and its tests were run with. */
  static final Version NEWEST_TRIED = new Version(5, 2, 3);

  private static final Logger LOGGER = LoggerFactory.getLogger(VertxVersion.class);
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})(?:\\.(\\d{1,9}))?(?!\\d).*");
  private static final AtomicBoolean SAID = new AtomicBoolean();
  private static final String FOUND = found();

  private VertxVersion() {}

  /**
   * Refuses a version that cannot do. Says once that one is newer than those that were tried.
   *
   * @throws IllegalStateException if this program has one
   */
  public static void check() {
    if (isUntried(FOUND) && SAID.compareAndSet(false, true)) {
      LOGGER.info("Vert.x " + FOUND + " is newer than " + NEWEST_TRIED + ", the newest that this vertx-rpcrdma was"
          + " tried with");
    }
  }

  /**
   * Whether a version is newer than those that were tried.
   *
   * @param version such as 5.1.1; what is no version is not judged
   * @throws IllegalStateException if it cannot do
   */
  static boolean isUntried(String version) {
    Optional<Version> read = Version.of(version);
    if (read.isPresent() && (read.get().major != OLDEST.major || read.get().compareTo(OLDEST) < 0)) {
      throw new IllegalStateException("vertx-rpcrdma needs Vert.x " + OLDEST + " or newer of " + OLDEST.major
          + ", and finds " + version + ", which some dependency has brought: have the build import the bom"
          + " io.vertx:vertx-dependencies of the version that all of it is to use");
    }
    return read.isPresent() && read.get().compareTo(NEWEST_TRIED) > 0;
  }

  /** What a version begins with. A release and what came before it, such as 5.2.0.CR1, are the same. */
  record Version(int major, int minor, int patch) implements Comparable<Version> {

    static Optional<Version> of(String version) {
      Matcher numbers = NUMBERS.matcher(version);
      return numbers.matches() ? Optional.of(new Version(number(numbers, 1), number(numbers, 2), number(numbers, 3)))
          : Optional.empty();
    }

    private static int number(Matcher numbers, int group) {
      return numbers.group(group) == null ? 0 : Integer.parseInt(numbers.group(group));
    }

    @Override
    public int compareTo(Version other) {
      return Comparator.comparingInt(Version::major).thenComparingInt(Version::minor).thenComparingInt(Version::patch)
          .compare(this, other);
    }

    @Override
    public String toString() {
      return major + "." + minor + "." + patch;
    }
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
