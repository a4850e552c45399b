// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.responder.CallHistory;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What a client knows of its server beyond a connection: which session it is in, the XIDs of its calls, and
 * the server's calls with their replies. The counterpart of {@link Session}.
 */
public final class ClientSession implements CallHistory {

  private final InstanceId instance;
  private final SessionCache served;
  private final ForeignCache servedForeign;
  private final XidSlots xids;
  private final RandomGenerator random;
  private final int ownSlotBits;
  private final int foreignSlotBits;
  private Optional<InstanceId> session = Optional.empty();
  private int serverSlotBits;
  private int number;

  /**
   * Creates what a client that was never connected knows.
   *
   * @param settings what it remembers of the server's calls
   * @param foreignSlotBits how many slots its own calls to a server have that says nothing of slots
   * @param deadlines ends executions whose connection is lost
   * @param random for instance and XIDs
   */
  public ClientSession(SessionSettings settings, int foreignSlotBits, Deadlines deadlines,
      RandomGenerator random) {
    this.instance = InstanceId.random(random);
    this.served = new SessionCache(settings.slotBits(), deadlines, settings.replyBytes(),
        settings.largeReplyBytes());
    this.servedForeign = new ForeignCache(settings.foreignCalls(), settings.foreignNanos(), deadlines,
        settings.replyBytes());
    this.xids = new XidSlots(foreignSlotBits, random.nextInt());
    this.random = random;
    this.ownSlotBits = settings.slotBits();
    this.foreignSlotBits = foreignSlotBits;
    this.serverSlotBits = foreignSlotBits;
  }

  /**
   * What the client shows with its next connection.
   *
   * @return with a number that is higher than all before
   */
  public SessionBlock hello() {
    number++;
    return new SessionBlock(ownSlotBits, instance, session, number);
  }

  /**
   * The server has shown the session that holds from now on; before any call over the new connection.
   * If it is another one than before, both ends have forgotten all of it.
   *
   * @param shown empty if the server is a foreign one
   * @param channel of this client's calls
   */
  public void met(Optional<SessionBlock> shown, ChannelMachine channel) {
    Optional<InstanceId> now = shown.map(SessionBlock::id);
    int slotBits = shown.map(SessionBlock::slotBits).orElse(foreignSlotBits);
    boolean same = now.equals(session) && slotBits == serverSlotBits;
    channel.met(now, same);
    if (!same) {
      served.clear();
      servedForeign.clear();
      xids.restart(slotBits, random.nextInt());
      session = now;
      serverSlotBits = slotBits;
    }
  }

  /**
   * The XIDs of the client's calls.
   *
   * @return always the same object
   */
  public XidSlots xids() {
    return xids;
  }

  private DuplicateRequestCache current() {
    return session.isEmpty() ? servedForeign : served;
  }

  /** Forgets the server's calls, as when the channel is closed. */
  public void clear() {
    served.clear();
    servedForeign.clear();
  }

  @Override
  public boolean arrived(IncomingCall call, long now) {
    return current().arrived(call, now);
  }

  @Override
  public boolean admit(IncomingCall call, boolean repeatable, long now) {
    return current().admit(call, repeatable, now);
  }

  @Override
  public boolean hopeless(int xid) {
    return current().hopeless(xid);
  }

  @Override
  public void operationsFailed(int xid) {
    current().operationsFailed(xid);
  }
}
