// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * In front of a listener's TLS: answers a peer that begins without it by an alert, from which the
 * peer can tell what is wrong, where the TLS engine would close without a word.
 */
final class TlsExpected extends ChannelInboundHandlerAdapter {

  /** RFC 8446 §5.1: how the record of a ClientHello begins. */
  private static final byte HANDSHAKE = 22;

  /** RFC 8446 §6: a record with the fatal alert unexpected_message, of the oldest version. */
  private static final byte[] ALERT = {21, 3, 1, 0, 2, 2, 10};

  private boolean refused;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    ByteBuf bytes = (ByteBuf) message;
    if (bytes.isReadable() && bytes.getByte(bytes.readerIndex()) != HANDSHAKE) {
      refused = true;
      bytes.release();
      context.writeAndFlush(Unpooled.wrappedBuffer(ALERT))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    context.pipeline().remove(this);
    context.fireChannelRead(message);
  }
}
