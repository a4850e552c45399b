// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

/** What may be done with a call that was sent, and has no outcome. */
public enum Repetition {
  /** It may be sent again within the session alone, which keeps it from being executed twice. */
  IN_SESSION(false, false),
  /** It is harmless to execute it again, at any time, but only the peer that it was sent to has what it asks for. */
  BY_PEER(true, false),
  /** Another peer may have it too, since all of them together execute it once at most. */
  ONCE_ANYWHERE(false, true),
  /** It is harmless to execute it again, at any time and by any peer. */
  ANYWHERE(true, true);

  private final boolean harmless;
  private final boolean elsewhere;

  Repetition(boolean harmless, boolean elsewhere) {
    this.harmless = harmless;
    this.elsewhere = elsewhere;
  }

  boolean isHarmless() {
    return harmless;
  }

  boolean isPossibleElsewhere() {
    return elsewhere;
  }

  /**
   * Returns what may be done with a call.
   *
   * @param harmless whether executing it is harmless at any time and on any server
   * @param onceAnywhere whether all peers together execute it once at most
   * @param boundToPeer whether the peer was chosen because of what it keeps: a call that was sent waits for it
   * @return what follows from that
   */
  public static Repetition of(boolean harmless, boolean onceAnywhere, boolean boundToPeer) {
    if (boundToPeer) {
      return harmless ? BY_PEER : IN_SESSION;
    }
    if (harmless) {
      return ANYWHERE;
    }
    return onceAnywhere ? ONCE_ANYWHERE : IN_SESSION;
  }
}
