package dev.rpcrdma.protocol.gss;

import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;

/** Calls the server's null procedure for {@link GssClient}, which has no connection of its own. */
public interface GssExchange {

  /** Hears what the server answers; on any thread, once. */
  interface Listener {

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

    /** There is no connection: another context is begun when there is one ({@link GssClient#resume}). */
    void unreachable();
  }

  /**
   * Sends a token, within a bounded time.
   *
   * @param credential of the call
   * @param token its argument
   * @param listener gets the answer
   */
  void create(OpaqueAuth credential, byte[] token, Listener listener);

  /**
   * Tells the server that a context is used no more; nobody waits for an answer.
   *
   * @param credential of the call, which has no arguments; it signs the call's head
   */
  void destroy(Credential credential);
}
