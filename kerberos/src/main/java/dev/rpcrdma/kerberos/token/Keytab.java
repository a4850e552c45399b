// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Keys of services, as their servers have them in a file. */
public final class Keytab {

  /** People have some hundred keys. */
  private static final int MAX_BYTES = 1 << 20;

  private final List<KeytabEntry> entries;

  private Keytab(List<KeytabEntry> entries) {
    this.entries = List.copyOf(entries);
  }

  /**
   * Reads a file.
   *
   * @param file of the format that all have since 1992, 0x0502
   * @return its keys
   * @throws KeytabException if it is no keytab, is truncated or contradicts itself
   * @throws IOException if it cannot be read
   */
  public static Keytab read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new KeytabException("The keytab has more than " + MAX_BYTES + " bytes");
      }
      return parse(bytes);
    }
  }

  /**
   * Reads the bytes of a file.
   *
   * @param bytes all of them
   * @return the keys
   * @throws KeytabException if they are no keytab, are truncated or contradict themselves
   */
  static Keytab parse(byte[] bytes) throws KeytabException {
    return new Keytab(new KeytabReader(ByteBuffer.wrap(bytes)).entries());
  }

  List<KeytabEntry> entries() {
    return entries;
  }

  /**
   * Opens what was encrypted for one of these services. Whose key it is does not matter, as services have several
   * names; that of the right version is tried first.
   *
   * @param service for whom it is said to be
   * @throws NoKeyException if no key opens it
   */
  DerReader open(String service, EncryptedData encrypted, int usage) throws NoKeyException {
    if (EncryptionType.of(encrypted.type()).isEmpty()) {
      throw new NoKeyException("the ticket for " + service + " is of encryption type " + encrypted.type()
          + ", which is not read");
    }
    return entries.stream().sorted(Comparator.comparing(entry -> entry.version() != encrypted.version()))
        .flatMap(entry -> opened(encrypted, entry, usage).stream())
        .findFirst()
        .orElseThrow(() -> new NoKeyException("no key in the keytab opens the ticket for " + service
            + " (encryption type " + encrypted.type() + ", key version "
            + Integer.toUnsignedString(encrypted.version()) + ")"));
  }

  private static Optional<DerReader> opened(EncryptedData encrypted, KeytabEntry entry, int usage) {
    try {
      return Optional.of(encrypted.open(entry.key(), usage));
    } catch (KerberosException e) {
      // Of another key, or even of another type.
      return Optional.empty();
    }
  }

  /** Without keys. */
  @Override
  public String toString() {
    return entries.size() + " keys";
  }
}
