package dev.rpcrdma.protocol.connection;

/**
 * What an end remembers of its peer's calls beyond one connection, as far as the transport itself needs
 * it.
 */
public interface CallHistory {

  /** Remembers nothing. */
  CallHistory NONE = new CallHistory() {
    @Override
    public boolean hopeless(int xid) {
      return false;
    }

    @Override
    public void operationsFailed(int xid) {}
  };

  /**
   * Whether the chunks of a call have ended connections before, so that the call is better answered
   * than tried again.
   *
   * @param xid the call's
   * @return true if it is to be answered ERR_CHUNK
   */
  boolean hopeless(int xid);

  /**
   * A connection has ended while RDMA operations on the chunks of a call were under way.
   *
   * @param xid the call's
   */
  void operationsFailed(int xid);
}
