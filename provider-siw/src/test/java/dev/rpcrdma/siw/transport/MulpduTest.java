// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rpcrdma.siw.wire.Fpdu;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** FPDUs within segments, where segments are the longest. */
@DisplayName("siw: MULPDU")
final class MulpduTest {

  /** Segments as Linux sends them over its loopback, their headers having timestamps. */
  @ParameterizedTest
  @CsvSource({"127.0.0.1, 127.0.0.1, 65483", "127.0.1.1, 127.0.0.1, 65483", "::1, ::1, 65464"})
  @DisplayName("P-012: an FPDU fits into a segment on loopback too, and hardly less would do")
  void loopback(String local, String remote, int segment) throws SocketException {
    InetSocketAddress end = new InetSocketAddress(local, 1);
    InetSocketAddress other = new InetSocketAddress(remote, 1);
    int fpdu = Fpdu.bytes(Mulpdu.of(end, other, false));
    assertThat(fpdu).isLessThanOrEqualTo(segment);
    assumeThat(mtu()).as("the usual MTU of loopback").isEqualTo(65536);
    assertThat(fpdu).isGreaterThan(segment - 8);
    assertThat(Mulpdu.of(end, other, true)).isLessThan(Mulpdu.of(end, other, false));
  }

  private static int mtu() throws SocketException {
    NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
    return loopback == null ? 0 : loopback.getMTU();
  }
}
