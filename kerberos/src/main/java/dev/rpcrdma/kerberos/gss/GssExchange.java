// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;

/** Calls the server's null procedure for {@link GssClient}, which has no connection of its own. */
public interface GssExchange {

  /** Hears what the server answers; on any thread, once but for {@link #slow}. */
  interface Listener {

    /** Notifies that there is no answer yet, and another connection may be quicker; at most once, before all else. */
    default void slow() {}

    /**
     * The server has taken the token.
     *
     * @param result what it says
     * @param verifier of the reply
     */
    void answered(GssInitResult result, OpaqueAuth verifier);

    /**
     * There is no answer, or a refusal.
     *
     * @param reason for people
     */
    void failed(String reason);

    /**
     * The connection was lost before there was an answer. The server may have taken the token, and takes none twice.
     *
     * @param reason for people
     */
    void lost(String reason);

    /**
     * Notifies that the deadline has passed without an answer.
     *
     * @param reason for people
     */
    void silent(String reason);

    /** There is no connection: another context is begun when there is one ({@link GssClient#resume}). */
    void unreachable();
  }

  /** Hears what becomes of a binding; on any thread, once. */
  interface BindListener {

    /**
     * The server has answered.
     *
     * @param verifier of the reply, which says all
     */
    void answered(OpaqueAuth verifier);

    /**
     * The server refuses the call.
     *
     * @param status why
     */
    void refused(AuthStatus status);

    /**
     * There is no answer, or another refusal.
     *
     * @param reason for people
     */
    void failed(String reason);

    /** The connection has ended, and with it what was to be bound. */
    void lost();
  }

  /**
   * Tells whether a token can be sent over a connection that owes no answer to one. Called with a lock, so that it must
   * not call back.
   *
   * @return false as well if such connections have let the deadline of the last token pass
   */
  default boolean hasAnother() {
    return false;
  }

  /**
   * Runs a short task later; never if there is nobody to make calls any more.
   *
   * @param nanos from now
   * @param task may call anything, from any thread
   */
  void after(long nanos, Runnable task);

  /**
   * Sends a token over a connection that owes no answer to one, within a bounded time.
   *
   * @param credential of the call
   * @param token its argument
   * @param listener gets the answer
   */
  void create(OpaqueAuth credential, byte[] token, Listener listener);

  /**
   * Has a context bound to a connection, by a call over just that one, within a bounded time.
   *
   * @param channel the connection
   * @param credential of the call, which has no arguments; it signs the call's head
   * @param listener gets the answer
   */
  void bind(SecureChannel channel, Credential credential, BindListener listener);

  /**
   * Tells the server that a context is used no more; nobody waits for an answer.
   *
   * @param credential of the call, which has no arguments; it signs the call's head
   */
  void destroy(Credential credential);
}
