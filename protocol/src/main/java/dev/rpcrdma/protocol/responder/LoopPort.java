package dev.rpcrdma.protocol.responder;

/** The way to the thread that a machine lives on, for those who answer its calls from elsewhere. */
public interface LoopPort {

  /**
   * Something that a machine does for a call of its peer.
   *
   * @param <T> the type of what it needs for that
   */
  @FunctionalInterface
  interface Step<T> {

    /**
     * Does it.
     *
     * @param call the call
     * @param argument what is needed
     * @param now the time
     */
    void take(IncomingCall call, T argument, long now);
  }

  /**
   * Has a step taken on the machine's thread: at once if this is it, and soon otherwise. To be called from any
   * thread.
   *
   * @param step what to do
   * @param call for which call
   * @param argument what is needed for it
   * @param <T> the argument's type
   */
  <T> void run(Step<T> step, IncomingCall call, T argument);
}
