// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.support.LogRateLimit;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.lang.System.Logger.Level;

/**
 * Last handler of a listening channel: logs why connections cannot be accepted, such as for want of file descriptors.
 * Netty's own handler in front of it stops accepting for a second. Of one event loop.
 */
final class AcceptFailures extends ChannelInboundHandlerAdapter {

  private static final System.Logger LOGGER = System.getLogger(AcceptFailures.class.getName());

  private final LogRateLimit pace = new LogRateLimit(System.nanoTime());

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Level level = pace.due(System.nanoTime()) ? Level.WARNING : Level.DEBUG;
    try {
      LOGGER.log(level, () -> "No connection can be accepted at " + context.channel().localAddress() + ": "
          + Causes.message(cause) + ". Clients wait, and it is tried again each second. If files are too many, raise "
          + "the process's limit (ulimit -n), or lower maxPendingConnections and the number of connections; of others "
          + "within " + LogRateLimit.BETWEEN.toSeconds() + " seconds only the debug log tells");
    } catch (Throwable e) {
      // A log that opens its first file now has no descriptor for it; the event loop must go on all the same.
    }
  }
}
