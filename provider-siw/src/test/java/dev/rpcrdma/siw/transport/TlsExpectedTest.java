// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TlsExpectedTest {

  /** Fails if the alert is not followed by the end of the connection. */
  @Test
  @DisplayName("Whoever begins without TLS gets an alert, and the connection ends")
  void plain() {
    EmbeddedChannel channel = new EmbeddedChannel(new TlsExpected());
    channel.writeInbound(Unpooled.copiedBuffer("MPA ID Req Frame", StandardCharsets.US_ASCII));
    ByteBuf alert = channel.readOutbound();
    assertThat(ByteBufUtil.getBytes(alert)).containsExactly(21, 3, 1, 0, 2, 2, 10);
    alert.release();
    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.<Object>readInbound()).isNull();
  }
}
