// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The {@code krb5.conf} of this JVM: for one realm, whose key distribution center is reached by TCP on loopback. This JVM
 * has none of its own again when it is closed.
 */
public final class Krb5Conf implements AutoCloseable {

  private static final String PROPERTY = "java.security.krb5.conf";

  private final Path file;
  private final String realm;
  private final String types;

  /**
   * Creates one, which nobody reads yet.
   *
   * @param file where to write it
   * @param realm the realm's name
   * @param types encryption types that may be used
   */
  public Krb5Conf(Path file, String realm, String types) {
    this.file = file;
    this.realm = realm;
    this.types = types;
  }

  /**
   * Writes it; who proves who he is from now on goes by it.
   *
   * @param port of the key distribution center
   * @param settings more of the section {@code libdefaults}
   */
  public void write(int port, String... settings) {
    try {
      Files.writeString(file, """
          [libdefaults]
            default_realm = %1$s
            udp_preference_limit = 1
            dns_canonicalize_hostname = false
            default_tkt_enctypes = %2$s
            default_tgs_enctypes = %2$s
            permitted_enctypes = %2$s
            %4$s
          [realms]
            %1$s = {
              kdc = 127.0.0.1:%3$d
            }
          """.formatted(realm, types, port, String.join("\n  ", settings)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.setProperty(PROPERTY, file.toString());
  }

  @Override
  public void close() {
    System.clearProperty(PROPERTY);
  }
}
