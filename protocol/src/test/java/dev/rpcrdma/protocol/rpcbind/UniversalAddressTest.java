// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fails if {@link UniversalAddress} swaps the bytes of a port, or takes what is no address. */
@DisplayName("R-181, B-113: universal addresses of rdma and rdma6 (RFC 5665 §5.2.3)")
class UniversalAddressTest {

  @ParameterizedTest
  @CsvSource({
      "192.0.2.7.78.81, 192.0.2.7, 20049, rdma, 192.0.2.7.78.81",
      "0.0.0.0.0.111, 0.0.0.0, 111, rdma, 0.0.0.0.0.111",
      "255.255.255.255.255.255, 255.255.255.255, 65535, rdma, 255.255.255.255.255.255",
      "::1.78.81, ::1, 20049, rdma6, ::1.78.81",
      "::.0.111, ::, 111, rdma6, ::.0.111",
      "2001:db8:0:0:1:0:0:1.1.0, 2001:db8::1:0:0:1, 256, rdma6, 2001:db8::1:0:0:1.1.0",
      "2001:DB8::A.0.1, 2001:db8::a, 1, rdma6, 2001:db8::a.0.1",
      "1:0:2:3:4:5:6:7.0.1, 1:0:2:3:4:5:6:7, 1, rdma6, 1:0:2:3:4:5:6:7.0.1",
      "1:2:3:4:5:6:7::.0.1, 1:2:3:4:5:6:7:0, 1, rdma6, 1:2:3:4:5:6:7:0.0.1",
      "::ffff:192.0.2.7.78.81, ::ffff:c000:207, 20049, rdma6, ::ffff:c000:207.78.81"})
  void read(String text, String host, int port, String netid, String written) {
    UniversalAddress address = UniversalAddress.parse(text);
    assertThat(address).isEqualTo(new UniversalAddress(host, port)).hasToString(written);
    assertThat(address.host()).isEqualTo(host);
    assertThat(address.rdmaNetid()).isEqualTo(netid);
    assertThat(UniversalAddress.parse(written)).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "1.2.3.4", "1.2.3.4.5", "1.2.3.4.5.6.7", "1.2.3.4.256.0", "1.2.3.4.0.256",
      "1.2.3.4.-1.0", "1.2.3.256.0.1", "1.2.3..0.1", "1.2.3.4.0.", "1.2.3.4..1", "1.2.3.4.0.0001", "1.2.3.4.+1.1",
      "localhost.0.111", "/run/rpcbind.sock", "::1", "1::2::3.0.1", ":::.0.1", "1:2:3:4:5:6:7.0.1",
      "1:2:3:4:5:6:7:8:9.0.1", "1:2:3:4:5:6:7:8::.0.1", "12345::.0.1", "g::.0.1", "fe80::1%eth0.0.1", ":1.0.1",
      "1:.0.1", "::1.2.3.0.1", "1.2.3.4:5.0.1", "１.2.3.4.0.1"})
  @DisplayName("What is no universal address is refused, by its own exception")
  void refused(String text) {
    assertThatThrownBy(() -> UniversalAddress.parse(text)).isInstanceOf(UniversalAddressException.class);
  }

  @Test
  void parts() {
    assertThatThrownBy(() -> new UniversalAddress("::1", 65536)).isInstanceOf(UniversalAddressException.class);
    assertThatThrownBy(() -> new UniversalAddress("a", 1)).isInstanceOf(UniversalAddressException.class);
    assertThat(new UniversalAddress("0:0::0", 1).isWildcard()).isTrue();
    assertThat(new UniversalAddress("0.0.0.0", 1).isWildcard()).isTrue();
    assertThat(new UniversalAddress("::1", 1).isWildcard()).isFalse();
    assertThat(new UniversalAddress("::", 1).withHost("10.0.0.1")).hasToString("10.0.0.1.0.1");
  }
}
