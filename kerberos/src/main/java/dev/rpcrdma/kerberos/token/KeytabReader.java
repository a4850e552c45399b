// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a keytab.
 *
 * <pre>
 *   file:  0x0502 | entry*
 *   entry: size (4) | components (2) | realm&lt;&gt; | component&lt;&gt;* | name type (4) | time (4)
 *          | version (1) | encryption type (2) | key&lt;&gt; | version (4), if there is room for it
 * </pre>
 *
 * <p>An entry of a negative size is a hole, one of size zero the end; strings have a length of two bytes in front. Keys
 * of types that are not read are passed over.
 */
final class KeytabReader {

  private static final int FORMAT = 0x0502;

  private final ByteBuffer file;

  KeytabReader(ByteBuffer file) {
    this.file = file;
  }

  List<KeytabEntry> entries() throws KeytabException {
    if (file.remaining() < Short.BYTES || file.getShort() != FORMAT) {
      throw new KeytabException("This is no keytab of the format 0x0502");
    }
    List<KeytabEntry> entries = new ArrayList<>();
    while (file.hasRemaining()) {
      int at = file.position();
      if (file.remaining() < Integer.BYTES) {
        throw truncated(at);
      }
      int size = file.getInt();
      if (size == 0) {
        break;
      }
      // As a number of 64 bits, of which the smallest of 32 has a magnitude.
      long length = Math.abs((long) size);
      if (length > file.remaining()) {
        throw truncated(at);
      }
      if (size > 0) {
        entry(file.slice(file.position(), size), at).ifPresent(entries::add);
      }
      file.position(file.position() + (int) length);
    }
    return entries;
  }

  private static Optional<KeytabEntry> entry(ByteBuffer entry, int at) throws KeytabException {
    try {
      int count = entry.getShort() & 0xFFFF;
      String realm = text(entry);
      List<String> components = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        components.add(text(entry));
      }
      entry.position(entry.position() + 2 * Integer.BYTES);
      int version = entry.get() & 0xFF;
      Optional<EncryptionType> type = EncryptionType.of(entry.getShort() & 0xFFFF);
      byte[] key = string(entry);
      int wide = entry.remaining() < Integer.BYTES ? 0 : entry.getInt();
      return type.isEmpty() ? Optional.empty() : Optional.of(new KeytabEntry(
          String.join("/", components) + "@" + realm, wide == 0 ? version : wide, new KerberosKey(type.get(), key)));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      // A length, or the fixed part of an entry, that goes beyond its end.
      throw new KeytabException("The keytab is damaged: the entry at byte " + at + " is shorter than what is in it");
    } catch (KerberosException e) {
      throw new KeytabException("The keytab is damaged: the entry at byte " + at + ": " + e.getMessage());
    }
  }

  private static String text(ByteBuffer entry) {
    return new String(string(entry), StandardCharsets.UTF_8);
  }

  private static byte[] string(ByteBuffer entry) {
    byte[] bytes = new byte[entry.getShort() & 0xFFFF];
    entry.get(bytes);
    return bytes;
  }

  private static KeytabException truncated(int at) {
    return new KeytabException("The keytab is truncated: the entry at byte " + at + " goes beyond its end");
  }
}
