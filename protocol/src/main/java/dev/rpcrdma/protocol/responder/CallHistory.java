// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

/**
 * What an end remembers of its peer's calls beyond one connection: the duplicate request cache, as a
 * connection sees it.
 */
public interface CallHistory {

  /** Remembers nothing. */
  CallHistory NONE = new CallHistory() {
    @Override
    public boolean arrived(IncomingCall call, long now) {
      return true;
    }

    @Override
    public boolean admit(IncomingCall call, boolean repeatable, long now) {
      return true;
    }

    @Override
    public boolean hopeless(int xid) {
      return false;
    }

    @Override
    public void operationsFailed(int xid) {}
  };

  /**
   * A call has come, and is let in; nothing is pulled for it yet but the head of a Long call.
   *
   * @param call knows its XID and its principal
   * @param now the time
   * @return false if it is a repetition, which is answered here, now or later; or which is told to
   *     {@linkplain IncomingCall#proceed proceed} when its turn comes
   */
  boolean arrived(IncomingCall call, long now);

  /**
   * A call is whole, and is going to be executed unless this says that it has been.
   *
   * @param call with its head; its arguments have not been read
   * @param repeatable whether it may be executed again before its outcome is known, so that no reply to
   *     it need be kept
   * @param now the time
   * @return whether to execute it; if not it is answered here, now or later
   */
  boolean admit(IncomingCall call, boolean repeatable, long now);

  /**
   * Whether the chunks of a call have ended connections before, so that the call is better answered
   * than tried again.
   *
   * @param xid the call's
   * @return true if it is to be answered ERR_CHUNK
   */
  boolean hopeless(int xid);

  /**
   * The peer's device has refused an operation on the chunks of a call, and ended the connection.
   *
   * @param xid the call's
   */
  void operationsFailed(int xid);
}
