// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keytab files. */
@DisplayName("Keytabs")
final class KeytabTest {

  private static final Path RECORDED = Path.of("src", "test", "resources", "gss", "nfs-6.1.keytab");

  /** One entry, without its size. */
  private static byte[] entry(int type, int keyLength, int version, byte[] behind) {
    ByteBuffer entry = ByteBuffer.allocate(200).putShort((short) 1);
    put(entry, "R");
    put(entry, "nfs");
    entry.putInt(1).putInt(0).put((byte) version).putShort((short) type).putShort((short) keyLength)
        .put(new byte[keyLength]).put(behind);
    return Arrays.copyOf(entry.array(), entry.position());
  }

  private static void put(ByteBuffer entry, String text) {
    entry.putShort((short) text.length()).put(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] sized(byte[] entry) {
    return Encrypting.joined(ByteBuffer.allocate(4).putInt(entry.length).array(), entry);
  }

  private static Keytab file(byte[]... parts) throws KeytabException {
    return Keytab.parse(Encrypting.joined(new byte[] {5, 2}, Encrypting.joined(parts)));
  }

  /** Fails if a field of an entry is read at another place. */
  @Test
  @DisplayName("A keytab that MIT has made")
  void recorded() throws IOException {
    Keytab keytab = Keytab.read(RECORDED);
    assertThat(keytab.entries()).extracting(KeytabEntry::principal, KeytabEntry::version, e -> e.key().type().number())
        .containsExactly(tuple("nfs/nfs.lab.test@LAB.TEST", 1, 18), tuple("host/nfs.lab.test@LAB.TEST", 1, 18));
    assertThat(keytab).hasToString("2 keys");
  }

  /** Fails if holes are read as entries, if the wide version is not read, or an unknown type ends the file. */
  @Test
  @DisplayName("Holes, versions above 255, types that are not read, and what is behind the end")
  void parts() throws KeytabException {
    byte[] hole = Encrypting.joined(ByteBuffer.allocate(4).putInt(-7).array(), new byte[7]);
    byte[] wide = sized(entry(17, 16, 1, ByteBuffer.allocate(4).putInt(300).array()));
    byte[] zero = sized(entry(17, 16, 9, new byte[4]));
    byte[] unread = sized(entry(23, 16, 1, new byte[0]));
    assertThat(file(hole, wide, unread, hole, zero, sized(entry(20, 32, 2, new byte[2]))).entries())
        .extracting(KeytabEntry::version).containsExactly(300, 9, 2);
    assertThat(file().entries()).isEmpty();
    assertThat(file(wide, new byte[4], new byte[] {1, 2, 3}).entries()).hasSize(1);
  }

  /** Fails if {@code KeytabReader} takes an entry to be as long as it says. */
  @Test
  @DisplayName("A keytab that is cut anywhere is said to be truncated, or has fewer keys")
  void truncated() throws IOException {
    byte[] bytes = Files.readAllBytes(RECORDED);
    int second = bytes.length - Keytab.parse(bytes).entries().size() - 83;
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      if (length == 2 || length == second) {
        assertThat(Keytab.parse(cut).entries()).hasSizeLessThan(2);
      } else {
        assertThatThrownBy(() -> Keytab.parse(cut)).as("%d bytes", length).isInstanceOf(KeytabException.class)
            .hasMessageMatching(length < 2 ? ".*no keytab.*" : ".*truncated.*");
      }
    }
  }

  /** Fails if a length within an entry is believed, or the magnitude of the smallest number is taken with 32 bits. */
  @Test
  @DisplayName("Keytabs that contradict themselves, and files that are none")
  void damaged() {
    byte[] longer = entry(17, 16, 1, new byte[0]);
    longer[2] = 0x7F;
    assertThatThrownBy(() -> file(sized(longer))).isInstanceOf(KeytabException.class).hasMessageContaining("damaged");
    assertThatThrownBy(() -> file(sized(entry(18, 16, 1, new byte[0])))).isInstanceOf(KeytabException.class)
        .hasMessageContaining("32 bytes, not 16");
    assertThatThrownBy(() -> file(sized(new byte[3]))).isInstanceOf(KeytabException.class);
    assertThatThrownBy(() -> file(ByteBuffer.allocate(4).putInt(Integer.MIN_VALUE).array()))
        .isInstanceOf(KeytabException.class).hasMessageContaining("truncated");
    assertThatThrownBy(() -> Keytab.parse(new byte[] {5, 1, 0, 0})).isInstanceOf(KeytabException.class)
        .hasMessageContaining("0x0502");
  }

  /** Fails if all of a file is read, whatever its size. */
  @Test
  @DisplayName("A file of more than 1 MiB is not read")
  void large(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("large"), new byte[(1 << 20) + 1]);
    assertThatThrownBy(() -> Keytab.read(file)).isInstanceOf(KeytabException.class).hasMessageContaining("1048576");
  }

  /** Fails if anything but a {@code KeytabException} comes of bytes. */
  @Test
  @DisplayName("Keytabs that are changed at random, and any bytes")
  void atRandom() throws IOException {
    byte[] recorded = Files.readAllBytes(RECORDED);
    for (int seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = recorded.clone();
      if (random.nextInt(4) == 0) {
        bytes = new byte[random.nextInt(80)];
        random.nextBytes(bytes);
      }
      for (int i = random.nextInt(4); i >= 0 && bytes.length > 2; i--) {
        bytes[2 + random.nextInt(bytes.length - 2)] = (byte) random.nextInt();
      }
      try {
        Keytab.parse(bytes);
      } catch (KeytabException e) {
        assertThat(e).as("seed %d", seed).hasMessageMatching("(?s).+");
      }
    }
  }
}
