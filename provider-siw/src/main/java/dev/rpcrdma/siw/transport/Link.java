// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import dev.rpcrdma.verbs.base.Causes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Optional;

/**
 * One TCP channel: reads into staging and hands that to the current phase. Confined to the
 * channel's event loop, which changes at most once, while nothing is read.
 */
public final class Link extends ChannelInboundHandlerAdapter {

  /** Who gets what the channel reads. */
  public interface Phase {

    /**
     * Bytes have arrived.
     *
     * @return index of the first byte that is not handled
     */
    int received(ByteBuffer in, int from, int to);

    /** A series of reads is over. */
    default void readComplete() {}

    /** The peer sends nothing more, or the channel is closed; may come twice. */
    void ended(boolean closed, String detail);

    /** Of a channel that nobody has any interest in. */
    Phase OVER = new Phase() {
      @Override
      public int received(ByteBuffer in, int from, int to) {
        return to;
      }

      @Override
      public void ended(boolean closed, String detail) {}
    };
  }

  private final Channel channel;
  private final InboundStaging staging = new InboundStaging();
  private final StreamTap tap;
  private final Optional<Tls> tls;
  private Phase phase;
  private String failure = "";

  public Link(Channel channel, Optional<Tls> tls, StreamTap tap, Phase phase) {
    this.channel = channel;
    this.tls = tls;
    this.tap = tap;
    this.phase = phase;
  }

  /** Sets the channel up; before its first read. */
  public void install() {
    if (tls.isPresent()) {
      tls.get().install(channel);
    } else {
      channel.config().setRecvByteBufAllocator(staging);
    }
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
    channel.pipeline().addLast(this);
  }

  /** Done when bytes can be written: at once over plain TCP, else after the TLS handshake. */
  public Future<Channel> handshake() {
    return tls.map(Tls::handshake)
        .orElseGet(() -> channel.eventLoop().newSucceededFuture(channel));
  }

  /** What the peer has proved who it is by, in its TLS handshake; empty if it has not. */
  public List<Certificate> peerCertificates() {
    return tls.map(Tls::peerCertificates).orElse(List.of());
  }

  /** By what this end has proved who it is, in its TLS handshake; empty if it has not. */
  public List<Certificate> localCertificates() {
    return tls.map(Tls::localCertificates).orElse(List.of());
  }

  public Channel channel() {
    return channel;
  }

  public EventLoop eventLoop() {
    return channel.eventLoop();
  }

  public InetSocketAddress localAddress() {
    return (InetSocketAddress) channel.localAddress();
  }

  public InetSocketAddress remoteAddress() {
    return (InetSocketAddress) channel.remoteAddress();
  }

  public void phase(Phase next) {
    phase = next;
  }

  /** Both addresses are known. */
  public void connected(boolean initiator) {
    tap.open(initiator, localAddress(), remoteAddress());
  }

  public void reading(boolean on) {
    channel.config().setAutoRead(on);
  }

  /** Writes a batch, which is told when it is over. */
  public void write(OutboundBatch batch) {
    for (int i = 0; i < batch.pieces(); i++) {
      tap.sent(batch.piece(i));
    }
    if (tellsBytes()) {
      channel.writeAndFlush(batch, channel.voidPromise());
    } else {
      writePieces(batch);
    }
  }

  /**
   * Whether a batch is told of each byte that the kernel takes, and not only of whole pieces: the records of
   * TLS, and the writes of other transports, end anywhere.
   */
  public boolean tellsBytes() {
    return tls.isEmpty() && channel instanceof NioSocketChannel;
  }

  /** TLS, and other transports, want to see the bytes; piece by piece, to tell how many have gone. */
  private void writePieces(OutboundBatch batch) {
    int count = batch.pieces();
    for (int i = 0; i < count; i++) {
      ByteBuf piece = Unpooled.wrappedBuffer(batch.piece(i));
      int length = piece.readableBytes();
      channel.write(piece).addListener(done -> batch.pieceOver(length, done.isSuccess()));
    }
    channel.flush();
  }

  /** Writes a frame of startup. */
  public ChannelFuture write(byte[] frame) {
    tap.sent(ByteBuffer.wrap(frame));
    return channel.writeAndFlush(Unpooled.wrappedBuffer(frame));
  }

  /** Ends the output behind what was written. */
  public void shutdownOutput() {
    if (tls.isPresent()) {
      tls.get().closeOutbound(channel).addListener(told -> ((DuplexChannel) channel).shutdownOutput());
    } else {
      ((DuplexChannel) channel).shutdownOutput();
    }
  }

  public ChannelFuture close() {
    return channel.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      if (tls.isEmpty()) {
        // The message is the staging buffer, with the reference that the read was given.
        handle();
        return;
      }
      while (bytes.isReadable()) {
        staging.take(bytes);
        handle();
      }
    } finally {
      bytes.release();
    }
  }

  private void handle() {
    tap.received(staging.view(), staging.readStart(), staging.to());
    int from = staging.from();
    int to = staging.to();
    Phase before;
    int start;
    do {
      before = phase;
      start = from;
      from = before.received(staging.view(), from, to);
    } while (from < to && (from > start || phase != before));
    staging.handled(from);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    staging.giveBackIfEmpty();
    phase.readComplete();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE
        || event == SslCloseCompletionEvent.SUCCESS) {
      phase.ended(false, failure);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    failure = Causes.message(cause);
    channel.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    staging.discard();
    tap.close();
    phase.ended(true, failure);
  }
}
