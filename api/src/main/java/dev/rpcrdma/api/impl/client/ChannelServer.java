// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A server that an address stands for, or has stood for: its channel is closed when it has left, and nothing that
 * was given to it is without an outcome. From any thread.
 */
final class ChannelServer {

  private static final int ENDED = Integer.MIN_VALUE;

  private final ServerPlace place;
  private final ServerChannel part;
  private final Consumer<ChannelServer> end;
  /** What it is doing; {@link #ENDED} when there will be nothing any more. */
  private final AtomicInteger uses = new AtomicInteger();
  private volatile boolean left;

  /**
   * One that is listed, and does nothing yet.
   *
   * @param end is called once, when it has left and does nothing
   */
  ChannelServer(ServerPlace place, ServerChannel part, Consumer<ChannelServer> end) {
    this.place = place;
    this.part = part;
    this.end = end;
  }

  ServerPlace place() {
    return place;
  }

  ServerChannel part() {
    return part;
  }

  /** Is given something to do, which {@link #exit} says to be done; tells whether it takes it. */
  boolean enter() {
    return uses.updateAndGet(count -> count == ENDED ? ENDED : count + 1) != ENDED;
  }

  void exit() {
    if (uses.decrementAndGet() == 0) {
      endIfDone();
    }
  }

  /** It is not listed any more. */
  void leave() {
    left = true;
    endIfDone();
  }

  /** It is listed, still or again. */
  void stay() {
    left = false;
  }

  boolean hasLeft() {
    return left;
  }

  private void endIfDone() {
    if (left && uses.compareAndSet(0, ENDED)) {
      end.accept(this);
    }
  }
}
