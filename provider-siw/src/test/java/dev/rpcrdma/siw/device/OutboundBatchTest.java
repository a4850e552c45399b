// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.stream.Fpdus;
import dev.rpcrdma.siw.stream.MpaResponder;
import dev.rpcrdma.siw.stream.RdmapEndpoint;
import dev.rpcrdma.siw.stream.StartupException;
import dev.rpcrdma.siw.transport.Link;
import dev.rpcrdma.siw.transport.OutboundBatch;
import dev.rpcrdma.siw.transport.StreamTap;
import dev.rpcrdma.siw.transport.Transmitter;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.Completion;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a batch tells of itself, however little a socket takes at a time. */
@DisplayName("siw: a batch and its socket")
final class OutboundBatchTest {

  /** Takes a few bytes of each write. */
  private static class Slow implements WritableByteChannel {
    final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final int most;

    Slow(int most) {
      this.most = most;
    }

    @Override
    public int write(ByteBuffer source) {
      return take(source, most);
    }

    int take(ByteBuffer source, int room) {
      byte[] bytes = new byte[Math.min(room, source.remaining())];
      source.get(bytes);
      taken.writeBytes(bytes);
      return bytes.length;
    }

    int most() {
      return most;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private static final class SlowGathering extends Slow implements GatheringByteChannel {
    SlowGathering(int most) {
      super(most);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      int room = most();
      for (int i = offset; i < offset + length; i++) {
        room -= take(sources[i], room);
      }
      return most() - room;
    }

    @Override
    public long write(ByteBuffer[] sources) {
      return write(sources, 0, sources.length);
    }
  }

  private final List<Object> told = new ArrayList<>();
  private final OutboundBatch batch = new OutboundBatch(new OutboundBatch.Listener() {
    @Override
    public void progress(long bytes) {
      told.add(bytes);
    }

    @Override
    public void over(boolean complete) {
      told.add(complete);
    }
  });
  private final ArrayDeque<ChannelPromise> promises = new ArrayDeque<>();
  private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      ReferenceCountUtil.release(message);
      promises.add(promise);
    }
  });
  private final Link link = new Link(channel, Optional.empty(), StreamTap.NONE, Link.Phase.OVER);

  private byte[] fill() {
    byte[] payload = new byte[11];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) (50 + i);
    }
    batch.out().putInt(0x01020304);
    batch.append(ByteBuffer.wrap(payload));
    batch.out().putShort((short) 0x0506);
    batch.append(ByteBuffer.wrap(payload));
    batch.out().putInt(0x0708090A);
    ByteBuffer all = ByteBuffer.allocate(32).putInt(0x01020304).put(payload).putShort((short) 0x0506)
        .put(payload).putInt(0x0708090A);
    assertThat(batch.length()).isEqualTo(32);
    return all.array();
  }

  /** Fails if a piece counts as gone when some of its bytes are left, or if another count is told. */
  @Test
  @DisplayName("B-004: however few bytes a socket takes at a time, it gets all of them, and each progress is told")
  void partialWrites() throws IOException {
    for (int most = 1; most <= 33; most++) {
      for (Slow socket : new Slow[] {new Slow(most), new SlowGathering(most)}) {
        told.clear();
        byte[] expected = fill();
        batch.send(link);
        long sum = 0;
        List<Object> progress = new ArrayList<>();
        while (batch.transferred() < batch.count()) {
          sum += batch.transferTo(socket, batch.transferred());
          if (sum < expected.length) {
            progress.add(sum);
          }
          assertThat(socket.taken.size()).as("%d at a time", most).isEqualTo((int) sum);
          assertThat(told).as("%d at a time", most).isEqualTo(progress);
        }
        assertThat(socket.taken.toByteArray()).as("%d at a time", most).isEqualTo(expected);
        batch.release();
        progress.add(true);
        assertThat(told).as("%d at a time", most).isEqualTo(progress);
        assertThat(batch.isInFlight()).isFalse();
        assertThat(batch.length()).isZero();
        promises.clear();
      }
    }
  }

  /** Fails if a batch is complete whenever Netty is done with it. */
  @Test
  @DisplayName("P-022: a batch that is cut off is not complete, even if only its last byte is left")
  void cutOff() throws IOException {
    for (int left : new int[] {1, 4, 31, 32}) {
      told.clear();
      fill();
      batch.send(link);
      Slow socket = new Slow(1);
      for (int i = left; i < 32; i++) {
        batch.transferTo(socket, i);
      }
      batch.release();
      assertThat(told.get(told.size() - 1)).as("%d left", left).isEqualTo(false);
      promises.clear();
    }
  }

  /** Fails if the work of a batch is done whether or not all of the batch has gone. */
  @Test
  @DisplayName("P-022, B-023: a Send whose batch was cut off has not succeeded")
  void cutOffSend() throws StartupException {
    MpaResponder startup = new MpaResponder();
    startup.receive(ByteBuffer.wrap(RawPeer.REQUEST));
    RdmapEndpoint endpoint = new RdmapEndpoint(false, startup.accept(
        SiwDevice.offer(true, true, false, ConnectionOptions.DEFAULT)), 8, 8, null, null);
    byte[] first = Fpdus.write(0, 0);
    endpoint.receive(ByteBuffer.wrap(first), 0, first.length);
    HostMemory memory = (HostMemory) new HostProtectionDomain()
        .register(ByteBuffer.allocateDirect(8), LocalMemory.Backing.MEMORY).result();
    Transmitter transmitter = new Transmitter(link, endpoint, 1000, () -> {});
    Completion completion = new Completion();
    for (boolean complete : new boolean[] {true, false}) {
      endpoint.sendQueue().post(1, Opcode.SEND, memory, 0, 8, 0, 0, false);
      endpoint.sendQueue().ring();
      transmitter.pump();
      if (complete) {
        promises.remove().setSuccess();
      } else {
        promises.remove().setFailure(new IOException("cut off"));
      }
      assertThat(endpoint.nextDone(completion)).isEqualTo(complete);
    }
  }
}
