package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;

/**
 * What a server remembers of one client: the client's calls and their replies. It begins with the
 * client's first connection, and ends some time after the last.
 */
public final class Session extends Deadlines.Entry {

  private final Sessions<?> sessions;
  private final Object client;
  private final InstanceId id = InstanceId.random();
  private final ReplyCache calls;
  private int connections;

  Session(Sessions<?> sessions, Object client, ReplyCache calls) {
    this.sessions = sessions;
    this.client = client;
    this.calls = calls;
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
   * @return the cache
   */
  public ReplyCache calls() {
    return calls;
  }

  Object client() {
    return client;
  }

  void entered() {
    connections++;
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
