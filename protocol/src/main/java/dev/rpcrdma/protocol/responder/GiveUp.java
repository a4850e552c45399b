// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.responder;

/** A GIVE_UP of the peer, until this end pulls, writes and answers nothing of the calls that it names any more. */
final class GiveUp {

  private final Runnable confirm;
  /** Calls that have not ended; one more while the calls are being looked for. */
  private int left = 1;

  /**
   * Creates it.
   *
   * @param confirm answers the GIVE_UP
   */
  GiveUp(Runnable confirm) {
    this.confirm = confirm;
  }

  /** Waits for the end of a call, unless another GIVE_UP does. */
  void waitFor(IncomingCall call) {
    if (call.giveUp(this)) {
      expect();
    }
  }

  /** Waits for one more end. */
  void expect() {
    left++;
  }

  /** Hears that one of the calls has ended, or that all have been looked for. */
  void ended() {
    if (--left == 0) {
      confirm.run();
    }
  }
}
