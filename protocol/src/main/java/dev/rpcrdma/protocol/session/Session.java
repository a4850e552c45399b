// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import java.util.Optional;

/**
 * What a server and one client know of each other beyond a connection: the client's calls and their
 * replies, and the XIDs of the server's calls to the client. It begins with the client's first connection,
 * and ends some time after the last.
 *
 * <p><b>Both ends remember or forget together.</b> A client shows with each connection which session it
 * still remembers. If that is another one than the server's, or none, what the server knows is of a time that
 * the client has forgotten: the server forgets too, and draws a new id, which tells the client.
 */
public final class Session extends Deadlines.Entry {

  private final Sessions<?> sessions;
  private final Object client;
  private InstanceId id;
  private DuplicateRequestCache calls;
  private XidSlots xids;
  private int reverseSlotBits;
  private boolean numbered;
  private int lastNumber;
  private int connections;

  Session(Sessions<?> sessions, Object client) {
    this.sessions = sessions;
    this.client = client;
  }

  /**
   * What the server shows to the client, so that the client knows whether it is still remembered.
   *
   * @return unlike the id of any session before
   */
  public InstanceId id() {
    return id;
  }

  /**
   * The client's calls.
   *
   * @return the cache of the session as it is now
   */
  public DuplicateRequestCache calls() {
    return calls;
  }

  /**
   * The XIDs of the server's calls to the client.
   *
   * @return those of the session as it is now
   */
  public XidSlots xids() {
    return xids;
  }

  Object client() {
    return client;
  }

  /**
   * A connection of the client is about to be accepted.
   *
   * @param shown what the client has said; empty if it is a foreign one
   * @return false if it is to be rejected: the client has begun another one since
   */
  boolean enter(Optional<SessionBlock> shown) {
    if (shown.isPresent() && !number(shown.get().number())) {
      return false;
    }
    if (id == null || shown.isPresent() && !remembers(shown.get())) {
      begin(shown);
    }
    connections++;
    return true;
  }

  /** Connections arrive in another order than they were begun: only the last one counts. */
  private boolean number(int number) {
    if (numbered && Integer.compareUnsigned(number, lastNumber) <= 0) {
      return false;
    }
    numbered = true;
    lastNumber = number;
    return true;
  }

  private boolean remembers(SessionBlock client) {
    return client.remembered().equals(Optional.of(id)) && client.slotBits() == reverseSlotBits;
  }

  private void begin(Optional<SessionBlock> shown) {
    if (calls != null) {
      calls.clear();
    }
    id = sessions.newId();
    calls = sessions.newCache(shown.isEmpty());
    reverseSlotBits = shown.map(SessionBlock::slotBits).orElse(1);
    xids = new XidSlots(reverseSlotBits, sessions.firstXid());
  }

  /** Tells whether it was the last connection that has ended. */
  boolean left() {
    return --connections == 0;
  }

  @Override
  protected void expired(long now) {
    sessions.drop(this);
  }
}
