// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.SiwOptions;
import dev.rpcrdma.siw.SiwProvider;
import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.stream.Fpdus;
import dev.rpcrdma.siw.stream.MpaAgreement;
import dev.rpcrdma.siw.stream.MpaResponder;
import dev.rpcrdma.siw.stream.RdmapEndpoint;
import dev.rpcrdma.siw.transport.Link;
import dev.rpcrdma.siw.transport.OutboundBatch;
import dev.rpcrdma.siw.transport.StreamTap;
import dev.rpcrdma.siw.transport.Transmitter;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer that has one Response and goes on, while the rest of its batch still waits for the socket. */
@DisplayName("siw: a batch that the socket takes piece by piece")
final class BatchProgressTest {

  private static final ConnectionOptions OPTIONS = ConnectionOptions.DEFAULT.withReads(2, 2);
  private static final int LARGE = 2 << 20;

  private final VerbsBed bed = new VerbsBed(new SiwProvider(), DeviceOptions.DEFAULT);
  private final Peer server = bed.server();
  private Channel listening;
  private RawPeer client;

  /** A connection past startup, whose socket takes much less than a batch. */
  @BeforeEach
  void connect() throws Exception {
    MpaResponder startup = new MpaResponder();
    assertThat(startup.receive(ByteBuffer.wrap(RawPeer.REQUEST))).isTrue();
    MpaAgreement agreement = startup.accept(SiwDevice.offer(true, true, false, OPTIONS));
    ContextInternal context = (ContextInternal) bed.context();
    listening = new ServerBootstrap().group(context.nettyEventLoop())
        .channel(NioServerSocketChannel.class)
        .childOption(ChannelOption.SO_SNDBUF, 4096)
        .childHandler(new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel channel) {
            Link link = new Link(channel, Optional.empty(), StreamTap.NONE, Link.Phase.OVER);
            link.install();
            SiwQueuePair pair = new SiwQueuePair(context, link,
                (HostProtectionDomain) server.domain(), OPTIONS, SiwOptions.DEFAULT, false,
                agreement);
            link.phase(pair.connection());
            pair.setUp(server::setUp);
            pair.connection().open();
          }
        }).bind(VerbsBed.HOST, 0).sync().channel();
    client = new RawPeer(
        SocketAddress.inetSocketAddress((InetSocketAddress) listening.localAddress()));
    server.awaitEstablished();
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    server.awaitDisconnected();
    listening.close().sync();
    bed.close();
  }

  /** Payloads that are copied into the batch, and those that are gathered. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 8000})
  @DisplayName("P-017: who has a Response has a Read less outstanding")
  void nextRead(int length) throws Exception {
    Exposure small = server.expose(server.memory(length), Access.REMOTE_READ);
    Exposure large = server.expose(server.memory(LARGE), Access.REMOTE_READ);
    client.write(Fpdus.concat(read(1, small), read(2, large)));
    awaitResponse(length);
    client.write(read(3, small));
    awaitResponse(LARGE);
    awaitResponse(length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 8000})
  @DisplayName("P-020: who has a Response may invalidate what it has read")
  void invalidate(int length) throws Exception {
    server.receive(1, 8);
    Exposure small = server.expose(server.memory(length), Access.REMOTE_READ);
    Exposure large = server.expose(server.memory(LARGE), Access.REMOTE_READ);
    client.write(Fpdus.concat(read(1, small), read(2, large)));
    awaitResponse(length);
    client.write(Fpdus.untagged(0x41, 0x44, small.steeringTag(), 0, 1, 0));
    awaitResponse(LARGE);
    Completed completed = server.handler().completion(Opcode.RECEIVE);
    assertThat(completed.invalidated()).isTrue();
    assertThat(completed.invalidatedTag()).isEqualTo(small.steeringTag());
  }

  private static byte[] read(int sequence, Exposure exposure) {
    return Fpdus.readRequest(sequence, sequence, exposure.length(), exposure.steeringTag(),
        exposure.remoteOffset());
  }

  private void awaitResponse(int length) throws Exception {
    int rest = length;
    while (rest > 0) {
      ByteBuffer segment = client.readUlpdu();
      assertThat(DdpHeader.opcode(segment, 0)).isEqualTo(RdmapOpcode.READ_RESPONSE);
      rest -= segment.limit() - DdpHeader.TAGGED_BYTES;
    }
    assertThat(rest).isZero();
  }

  /**
   * A record of TLS ends anywhere, so the peer may have all but the last byte of a write of which the channel
   * has told nothing yet. Fails if a piece goes on behind the end of a Response, or if a Response counts as
   * gone when its pad and CRC have not.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 8000})
  @DisplayName("P-017, P-020: beneath TLS, who has a Response may read and invalidate at once")
  void records(int length) throws Exception {
    ArrayDeque<byte[]> writes = new ArrayDeque<>();
    ArrayDeque<ChannelPromise> promises = new ArrayDeque<>();
    EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
      @Override
      public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        writes.add(ByteBufUtil.getBytes((ByteBuf) message));
        promises.add(promise);
        ReferenceCountUtil.release(message);
      }
    });
    MpaResponder startup = new MpaResponder();
    assertThat(startup.receive(ByteBuffer.wrap(RawPeer.REQUEST))).isTrue();
    RdmapEndpoint endpoint = new RdmapEndpoint(false,
        startup.accept(SiwDevice.offer(true, true, false, OPTIONS)), 8, 8, null, null);
    Transmitter transmitter = new Transmitter(
        new Link(channel, Optional.empty(), StreamTap.NONE, Link.Phase.OVER), endpoint, 20_000,
        () -> {});
    HostMemory memory = (HostMemory) server.memory(length);
    List<SiwExposure> exposures = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      exposures.add(endpoint.exposures().expose(i, memory, 0, length, Access.REMOTE_READ));
    }
    byte[] gone = {};
    int had = 0;
    for (int asked = 0; had < exposures.size(); ) {
      // RFC 5040 §6.1: at most the IRD, that is 2.
      while (asked < Math.min(had + 2, exposures.size())) {
        byte[] request = read(asked + 1, exposures.get(asked++));
        endpoint.receive(ByteBuffer.wrap(request), 0, request.length);
      }
      transmitter.pump();
      byte[] next = writes.remove();
      int hasNow = responses(Fpdus.concat(gone, Arrays.copyOf(next, next.length - 1)));
      assertThat(hasNow).as("Responses that the peer has before this side is told").isEqualTo(had);
      if (asked > had) {
        assertThat(endpoint.exposures().invalidate(exposures.get(had).steeringTag()))
            .as("tag of Response %d before it has gone", had).isFalse();
      }
      gone = Fpdus.concat(gone, next);
      promises.remove().setSuccess();
      for (; had < responses(gone); had++) {
        assertThat(endpoint.exposures().invalidate(exposures.get(had).steeringTag()))
            .as("tag of Response %d", had).isTrue();
      }
    }
    endpoint.endExposures();
    channel.close();
  }

  /** How many FPDUs are whole: each has a whole Response. */
  private static int responses(byte[] bytes) {
    int count = 0;
    for (int at = 0; at + 2 <= bytes.length; count++) {
      at += Fpdu.bytes((bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF);
      if (at > bytes.length) {
        return count;
      }
    }
    return count;
  }

  @Test
  @DisplayName("P-017: a channel that wants to see the bytes, as beneath TLS, tells of each piece")
  void pieces() {
    ArrayDeque<ChannelPromise> writes = new ArrayDeque<>();
    EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
      @Override
      public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ReferenceCountUtil.release(message);
        writes.add(promise);
      }
    });
    List<Object> told = new ArrayList<>();
    OutboundBatch batch = new OutboundBatch(new OutboundBatch.Listener() {
      @Override
      public void progress(long bytes) {
        told.add(bytes);
      }

      @Override
      public void over(boolean complete) {
        told.add(complete);
      }
    });
    Link link = new Link(channel, Optional.empty(), StreamTap.NONE, Link.Phase.OVER);
    for (boolean complete : new boolean[] {true, false}) {
      batch.out().putInt(1);
      batch.append(ByteBuffer.allocateDirect(10));
      batch.out().putShort((short) 2);
      batch.send(link);
      writes.remove().setSuccess();
      writes.remove().setSuccess();
      assertThat(batch.isInFlight()).isTrue();
      if (complete) {
        writes.remove().setSuccess();
      } else {
        writes.remove().setFailure(new IllegalStateException("test"));
      }
      assertThat(batch.isInFlight()).isFalse();
    }
    assertThat(told).containsExactly(4L, 14L, true, 4L, 14L, false);
    channel.close();
  }
}
