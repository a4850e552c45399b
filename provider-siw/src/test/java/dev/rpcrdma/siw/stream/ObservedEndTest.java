// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.ReadRequestHeader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What it costs to look at strangers. */
@DisplayName("iWARP: observed ends")
final class ObservedEndTest {

  private final List<byte[]> messages = new ArrayList<>();
  private final List<String> data = new ArrayList<>();
  private final ObservedEnd end = end(false);

  private ObservedEnd end(boolean initiator) {
    return new ObservedEnd(initiator, Agreements.of(true, false, false, 0x3FFF, 0x3FFF, Rtr.WRITE), 0x3FFF,
        new ObservedEnd.Listener() {
          @Override
          public void segment(ByteBuffer in, int at, int length) {}

          @Override
          public void message(byte[] message) {
            messages.add(message);
          }

          @Override
          public void written(int tag, long offset, ByteBuffer bytes) {
            data.add("written " + tag + " " + offset + " " + bytes.get(0) + " " + bytes.remaining());
          }

          @Override
          public void read(int tag, long offset, ByteBuffer bytes) {
            data.add("read " + tag + " " + offset + " " + bytes.get(0) + " " + bytes.remaining());
          }
        });
  }

  /** Fails if staging is made with the end, or is kept when nothing waits in it. */
  @Test
  @DisplayName("An end keeps no staging where nothing waits, and no more than twice what does")
  void staging() {
    assertThat(end.stagingBytes()).isZero();
    byte[] send = Fpdus.send(1, new byte[1000]);
    end.receive(ByteBuffer.wrap(send));
    assertThat(messages).hasSize(1);
    assertThat(end.stagingBytes()).isZero();
    byte[] next = Fpdus.send(2, new byte[3000]);
    for (int i = 0; i < next.length - 1; i++) {
      end.receive(ByteBuffer.wrap(next, i, 1));
      assertThat(end.stagingBytes()).isBetween(i + 1, 2 * (i + 1));
    }
    end.receive(ByteBuffer.wrap(next, next.length - 1, 1));
    assertThat(messages).hasSize(2);
    assertThat(end.stagingBytes()).isZero();
  }

  /**
   * Fails if a Response's data is told by the place that it goes to, the Reads of both segments are taken for one, or
   * what has no bytes is told.
   */
  @Test
  @DisplayName("Data is told with the place that was exposed for it: of a Write, and of the Read that was asked for")
  void data() {
    ObservedEnd other = end(true);
    end.join(other);
    end.receive(ByteBuffer.wrap(Fpdus.concat(Fpdus.write(5, 1000, (byte) 1, (byte) 2), Fpdus.write(5, 1000),
        readRequest(1, 7, 300, 3, 8, 2000), readRequest(2, 7, 500, 2, 9, 4000))));
    other.receive(ByteBuffer.wrap(Fpdus.concat(Fpdus.tagged(0x81, 0x42, 7, 300, (byte) 3, (byte) 4),
        Fpdus.tagged(0xC1, 0x42, 7, 302, (byte) 5), Fpdus.tagged(0xC1, 0x42, 7, 500, (byte) 6, (byte) 7))));
    assertThat(data).containsExactly("written 5 1000 1 2", "read 8 2000 3 2", "read 8 2002 5 1", "read 9 4000 6 2");
  }

  private static byte[] readRequest(int sequence, int sinkTag, long sinkOffset, int size, int tag, long offset) {
    ByteBuffer request = ByteBuffer.allocate(ReadRequestHeader.BYTES);
    ReadRequestHeader.put(request, sinkTag, sinkOffset, size, tag, offset);
    return Fpdus.untagged(0x41, 0x40 | RdmapOpcode.READ_REQUEST, 0, 1, sequence, 0, request.array());
  }

  @Test
  @DisplayName("P-008: FPDUs up to the longest come through staging whole, however they are cut")
  void anyCuts() {
    Random random = new Random(3);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    List<byte[]> sent = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      byte[] message = new byte[i == 30 ? 65_535 - 18 : random.nextInt(i % 7 == 0 ? 40_000 : 200)];
      random.nextBytes(message);
      sent.add(message);
      stream.writeBytes(Fpdus.send(i, message));
    }
    byte[] bytes = stream.toByteArray();
    for (int at = 0; at < bytes.length; ) {
      int count = Math.min(bytes.length - at, 1 + random.nextInt(random.nextInt(5) == 0 ? 100_000 : 3000));
      end.receive(ByteBuffer.wrap(Arrays.copyOfRange(bytes, at, at + count)));
      at += count;
    }
    assertThat(messages).hasSameSizeAs(sent);
    for (int i = 0; i < sent.size(); i++) {
      assertThat(messages.get(i)).isEqualTo(sent.get(i));
    }
  }
}
