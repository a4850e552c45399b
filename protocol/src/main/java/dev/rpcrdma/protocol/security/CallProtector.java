package dev.rpcrdma.protocol.security;

/** Protects the calls of one user to one server, on all connections. From any thread. */
public interface CallProtector {

  /** Hears of the protection of one transmission; on any thread. */
  interface Listener {

    /**
     * The call can be sent.
     *
     * @param protection for this transmission
     */
    void ready(CallProtection protection);

    /**
     * There is no protection, and so no call.
     *
     * @param reason for people
     */
    void unavailable(String reason);
  }

  /**
   * Gets protection for one transmission, as soon as there is any: what it needs may have to be agreed with the server
   * first.
   *
   * @param listener hears once: at once, later, or never if nobody can say
   */
  void protection(Listener listener);
}
