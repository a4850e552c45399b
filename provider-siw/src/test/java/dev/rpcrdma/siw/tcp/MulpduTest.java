package dev.rpcrdma.siw.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.wire.Fpdu;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MulpduTest {

  /** What IP allows, less the headers of IP and of TCP with timestamps. */
  @ParameterizedTest
  @CsvSource({"127.0.0.1, 65483", "::1, 65463"})
  @DisplayName("P-012: an FPDU fits into a segment on loopback too, and hardly less would do")
  void loopback(String address, int segment) {
    InetSocketAddress end = new InetSocketAddress(address, 1);
    int fpdu = Fpdu.bytes(Mulpdu.of(end, end, false));
    assertThat(fpdu).isLessThanOrEqualTo(segment);
    if (fpdu > 1280) {
      assertThat(fpdu).as("where loopback has its usual MTU").isGreaterThan(segment - 8);
    }
    assertThat(Mulpdu.of(end, end, true)).isLessThan(Mulpdu.of(end, end, false));
  }
}
