// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.bare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.bench.measure.Stopwatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class BareStackTest {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void answersAsManyAtATimeAsAreMeasured(boolean awake) throws IOException {
    try (BareServer server = new BareServer(awake)) {
      for (int outstanding : new int[] {1, 128}) {
        Stopwatch.Lap lap = new BareClient(server.port(), awake).calls(outstanding, 0.05);
        assertThat(lap.operations()).isGreaterThanOrEqualTo(outstanding).isEqualTo(lap.latencies().getTotalCount());
      }
    }
  }

  /** Fails if the CRC is not looked at. */
  @ParameterizedTest
  @ValueSource(ints = {0, 5, 100, Frames.LENGTH - 1})
  void aDamagedFrameEndsTheLap(int damaged) throws IOException {
    try (ServerSocketChannel listening = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
      Thread server = new Thread(() -> damage(listening, damaged));
      server.setDaemon(true);
      server.start();
      assertThatThrownBy(() -> new BareClient(listening.socket().getLocalPort(), false).calls(1, 20))
          .isInstanceOf(IOException.class).hasMessageContaining("damaged");
    }
  }

  private static void damage(ServerSocketChannel listening, int at) {
    try (SocketChannel channel = listening.accept()) {
      ByteBuffer frame = ByteBuffer.allocate(Frames.LENGTH);
      while (frame.hasRemaining()) {
        channel.read(frame);
      }
      frame.put(at, (byte) ~frame.get(at)).flip();
      channel.write(frame);
      channel.read(frame.clear());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
