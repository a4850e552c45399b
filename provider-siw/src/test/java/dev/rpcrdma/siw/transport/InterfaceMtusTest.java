// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** MTUs are asked for once a second, of each address. */
@DisplayName("siw: MTUs of interfaces")
final class InterfaceMtusTest {

  private final Map<InetAddress, Integer> system = new HashMap<>();
  private int asked;
  private long now = Long.MAX_VALUE;
  private final InterfaceMtus mtus = new InterfaceMtus(address -> {
    asked++;
    return system.get(address);
  }, () -> now);

  /** Fails if answers of one address are taken for another's, or if none is kept. */
  @Test
  @DisplayName("Connections of one second share an answer")
  void shared() throws UnknownHostException {
    InetAddress one = address(1);
    InetAddress other = address(2);
    system.put(one, 1500);
    system.put(other, 9000);
    for (int i = 0; i < 3; i++) {
      assertThat(mtus.of(one)).isEqualTo(1500);
      assertThat(mtus.of(other)).isEqualTo(9000);
      now += InterfaceMtus.FRESH_NANOS / 4;
    }
    assertThat(asked).isEqualTo(2);
  }

  /** Fails if an answer is kept for longer, also where the clock's number overflows. */
  @Test
  @DisplayName("A changed MTU is known a second later")
  void changed() throws UnknownHostException {
    InetAddress address = address(1);
    system.put(address, 1500);
    mtus.of(address);
    system.put(address, 9000);
    now += InterfaceMtus.FRESH_NANOS - 1;
    assertThat(mtus.of(address)).isEqualTo(1500);
    now++;
    assertThat(mtus.of(address)).isEqualTo(9000);
  }

  private static InetAddress address(int last) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
  }
}
