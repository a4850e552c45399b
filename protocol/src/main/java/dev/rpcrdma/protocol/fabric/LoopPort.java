// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

/** The way to the thread that a machine lives on, for those who answer its calls from elsewhere. */
public interface LoopPort {

  /**
   * Something that a machine does.
   *
   * @param <S> the type of what it is done for
   * @param <T> the type of what it needs for that
   */
  @FunctionalInterface
  interface Task<S, T> {

    /**
     * Does it.
     *
     * @param subject what it is done for, such as a call
     * @param argument what is needed
     * @param now the time
     */
    void run(S subject, T argument, long now);
  }

  /**
   * Runs a task on the machine's thread: at once if this is it, and soon otherwise. To be called from any
   * thread.
   *
   * @param task what to do
   * @param subject for what
   * @param argument what is needed for it
   * @param <S> the subject's type
   * @param <T> the argument's type
   */
  <S, T> void run(Task<S, T> task, S subject, T argument);

  /**
   * The time of what is happening; to be called on the machine's thread.
   *
   * @return on the embedder's clock
   */
  long now();
}
