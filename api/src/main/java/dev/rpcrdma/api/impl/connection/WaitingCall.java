// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.impl.replies.ReplyRoom;
import dev.rpcrdma.protocol.responder.CallerWatch;
import dev.rpcrdma.protocol.responder.IncomingCall;
import java.util.function.Consumer;

/**
 * A call that its service gets when there is room for its reply. On the connection's loop, but that it is let in from
 * any thread.
 */
final class WaitingCall implements ReplyRoom.Waiting, CallerWatch {

  private final RpcConnectionImpl connection;
  private final ReplyRoom room;
  private final ReplyRoom.Line line;
  private final IncomingCall call;
  private final int bytes;
  private final Consumer<ReplyRoom.Share> next;
  private boolean over;

  /**
   * Creates it.
   *
   * @param bytes what its reply may take
   * @param next has the service serve it
   */
  WaitingCall(RpcConnectionImpl connection, ReplyRoom room, ReplyRoom.Line line, IncomingCall call, int bytes,
      Consumer<ReplyRoom.Share> next) {
    this.connection = connection;
    this.room = room;
    this.line = line;
    this.call = call;
    this.bytes = bytes;
    this.next = next;
  }

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public long deadline() {
    return call.deadline();
  }

  /** Not at once: another call of the same connection may be in the midst of its reply, which has made room. */
  @Override
  public void admitted(ReplyRoom.Share share) {
    connection.later(() -> begin(share));
  }

  private void begin(ReplyRoom.Share share) {
    if (over) {
      share.run();
    } else {
      next.accept(share);
    }
  }

  /** Nobody waits any more, and no service has it. */
  @Override
  public void gone() {
    over = true;
    room.withdraw(line, this);
    call.notRead();
  }
}
