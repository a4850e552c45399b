package dev.rpcrdma.protocol.requester;

/** Gives a call up. */
@FunctionalInterface
public interface CallHandle {

  /**
   * Gives the call up; its listener hears CANCELLED unless it has heard before.
   *
   * @param now the time
   */
  void cancel(long now);
}
