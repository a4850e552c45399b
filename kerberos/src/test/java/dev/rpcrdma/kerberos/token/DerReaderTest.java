// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DER, as much of it as Kerberos needs. */
@DisplayName("DER")
final class DerReaderTest {

  private static DerReader der(String hex) {
    return new DerReader(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
  }

  /** Fails if a length's first byte is taken for all of it, or an INTEGER to be unsigned or of one byte. */
  @ParameterizedTest
  @CsvSource({"020105, 5", "0201ff, -1", "0204ffffffff, -1", "020500ffffffff, -1", "02047fffffff, 2147483647",
      "02810105, 5", "0282000105, 5", "028400000001 05, 5"})
  @DisplayName("INTEGERs, with lengths of all forms")
  void integers(String hex, int value) throws KerberosException {
    assertThat(der(hex.replace(" ", "")).integer()).isEqualTo(value);
  }

  /** Fails if a length is not compared with what is left, or is taken to be signed. */
  @ParameterizedTest
  @ValueSource(strings = {"", "02", "0201", "020205", "0280", "0285000000000105", "0284ffffffff05", "028480000000",
      "0281", "02820001", "0200", "02060000000000 05", "0205ff00000000", "0401aa"})
  @DisplayName("What is cut short, of indefinite or of absurd length, or something else, is refused")
  void refused(String hex) {
    assertThatThrownBy(() -> der(hex.replace(" ", "")).integer()).isInstanceOf(KerberosException.class)
        .hasMessageMatching("(?s).+");
  }

  /** Fails if {@code optionalField} goes beyond a field that is not there, or {@code field} passes over no others. */
  @Test
  @DisplayName("Fields of a SEQUENCE, some of which are optional")
  void fields() throws KerberosException {
    String sequence = "300fa003020101a203020103a403020105";
    DerReader all = der(sequence).enter(DerReader.SEQUENCE);
    assertThat(all.field(0).integer()).isEqualTo(1);
    assertThat(all.optionalField(1)).isEmpty();
    assertThat(all.field(4).integer()).isEqualTo(5);
    assertThat(all.optionalField(5)).isEmpty();
    assertThat(all.hasMore()).isFalse();
    DerReader again = der(sequence).enter(DerReader.SEQUENCE);
    assertThatThrownBy(() -> again.field(3)).isInstanceOf(KerberosException.class).hasMessageContaining("no field 3");
  }

  /** Fails if texts are shown as they come. */
  @Test
  @DisplayName("Texts keep no control characters")
  void texts() throws KerberosException {
    assertThat(der("1b05411b5b0a42").text()).isEqualTo("A?[?B");
  }

  /** Fails if anything but a {@code KerberosException} comes of bytes. */
  @Test
  @DisplayName("Any bytes")
  void anyBytes() {
    for (int seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = new byte[random.nextInt(24)];
      random.nextBytes(bytes);
      try {
        DerReader der = new DerReader(ByteBuffer.wrap(bytes));
        while (der.hasMore()) {
          DerReader inner = der.enter(bytes[0] & 0xFF);
          inner.optionalField(random.nextInt(8));
          inner.text();
        }
      } catch (KerberosException e) {
        assertThat(e).as("seed %d", seed).hasMessageMatching("(?s).+");
      }
    }
  }
}
