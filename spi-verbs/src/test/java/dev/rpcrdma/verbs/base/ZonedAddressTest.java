// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses with and without a link. */
class ZonedAddressTest {

  @Test
  @DisplayName("An address with the number of a link is not looked up any more")
  void link() {
    SocketAddress zoned = ZonedAddress.of(SocketAddress.inetSocketAddress(7, "fe80::1%1"));
    assertThat(zoned.hostAddress()).startsWith("fe80:").endsWith("%1");
    assertThat(zoned.port()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "localhost:7%1", "peer%1", "::1", "127.0.0.1", "fe80::1%no-such-link"})
  @DisplayName("Names, and addresses without a link or with one that is not there, stay as they are")
  void others(String host) {
    SocketAddress address = SocketAddress.inetSocketAddress(7, host);
    assertThat(ZonedAddress.of(address)).isSameAs(address);
  }
}
