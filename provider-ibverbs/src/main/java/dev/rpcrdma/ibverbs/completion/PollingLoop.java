// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.completion;

import dev.rpcrdma.verbs.VerbsException;
import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;

/** The one loop of this process that waits for descriptors on behalf of loops that cannot. Made when it is needed. */
final class PollingLoop {

  private static IoEventLoop loop;

  private PollingLoop() {}

  /**
   * The loop, on a daemon thread.
   *
   * @throws VerbsException of kind UNAVAILABLE if this machine has no epoll
   */
  static synchronized IoEventLoop get() {
    if (!Epoll.isAvailable()) {
      throw new VerbsException(VerbsException.Kind.UNAVAILABLE,
          "Netty's epoll cannot be used here, so nobody would hear of an RDMA device: "
              + Epoll.unavailabilityCause(), Epoll.unavailabilityCause());
    }
    if (loop == null) {
      loop = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("rpcrdma-descriptors", true),
          EpollIoHandler.newFactory()).next();
    }
    return loop;
  }
}
