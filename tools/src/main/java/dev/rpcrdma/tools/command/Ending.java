// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Undoes what a command has begun, the last thing first, if the process is told to end (SIGINT, SIGTERM) before the
 * command has undone it itself. Child processes are ended, too.
 */
public final class Ending implements AutoCloseable {

  private static final Deque<Ending> OPEN = new ArrayDeque<>();
  private static boolean hooked;
  private static boolean begun;

  private final Undo undo;

  private Ending(Undo undo) {
    this.undo = undo;
  }

  /** What is begun. */
  @FunctionalInterface
  public interface Step {

    /**
     * Begins it.
     *
     * @throws IOException if it cannot
     */
    void run() throws IOException;
  }

  /** What ends or removes it; once, on a thread of its own. */
  @FunctionalInterface
  public interface Undo {

    /**
     * Ends or removes it.
     *
     * @throws Exception if it cannot; stderr tells why
     */
    void run() throws Exception;
  }

  /**
   * Begins something; nothing more begins when the process ends.
   *
   * @param step begins it
   * @param undo is run if the process ends before {@link #close}
   * @return to be closed by the command when it has undone it
   * @throws IOException if it cannot begin, or the process ends
   */
  public static Ending of(Step step, Undo undo) throws IOException {
    synchronized (OPEN) {
      if (begun) {
        throw new IOException("The process ends");
      }
      if (!hooked) {
        Runtime.getRuntime().addShutdownHook(new Thread(Ending::undoAll, "rpcrdma end"));
        hooked = true;
      }
      Ending ending = new Ending(undo);
      step.run();
      OPEN.push(ending);
      return ending;
    }
  }

  /**
   * Tells whether the process is about to end: then whatever is still at work fails, and nobody wants to hear why.
   *
   * @return true from the signal on
   */
  public static boolean hasBegun() {
    synchronized (OPEN) {
      return begun;
    }
  }

  private static void undoAll() {
    List<Ending> open;
    synchronized (OPEN) {
      begun = true;
      Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> { });
      open = List.copyOf(OPEN);
    }
    endChildren();
    for (Ending each : open) {
      try {
        each.undo.run();
      } catch (Exception e) {
        System.err.println("rpcrdma: " + FailureText.describe(e));
      }
    }
    endChildren();
  }

  private static void endChildren() {
    List<ProcessHandle> children = ProcessHandle.current().descendants().toList();
    children.forEach(ProcessHandle::destroyForcibly);
    children.forEach(child -> child.onExit().join());
  }

  /** Says that it is undone. */
  @Override
  public void close() {
    synchronized (OPEN) {
      OPEN.remove(this);
    }
  }
}
