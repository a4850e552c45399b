// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.WorkCompletion;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A queue pair's handler that notes each upcall, for a test's thread to wait for. Watches the rules
 * that hold for all upcalls: on the owning loop, none inside a method of the queue pair, nothing
 * before {@code established}, nothing after {@code disconnected}. {@link #violations} tells which
 * were broken.
 */
public final class RecordingHandler implements QueuePairHandler {

  /** One upcall. */
  public interface Event {}

  /** {@link QueuePairHandler#established}. */
  public record Established() implements Event {}

  /**
   * {@link QueuePairHandler#completed}.
   *
   * @param id of the work request
   * @param opcode its kind
   * @param status how it ended
   * @param byteLength of a received message
   * @param invalidated whether the message ended an exposure
   * @param invalidatedTag that exposure's tag
   */
  public record Completed(long id, WorkCompletion.Opcode opcode, WorkCompletion.Status status,
      int byteLength, boolean invalidated, int invalidatedTag) implements Event {}

  /**
   * {@link QueuePairHandler#exposed}.
   *
   * @param exposure the outcome
   */
  public record Exposed(Exposure exposure) implements Event {}

  /**
   * {@link QueuePairHandler#revoked}.
   *
   * @param exposure the exposure
   */
  public record Revoked(Exposure exposure) implements Event {}

  /** {@link QueuePairHandler#batchEnd}. */
  public record BatchEnd() implements Event {}

  /**
   * {@link QueuePairHandler#disconnected}.
   *
   * @param reason why
   */
  public record Disconnected(DisconnectReason reason) implements Event {}

  private final LinkedBlockingDeque<Event> unread = new LinkedBlockingDeque<>();
  private final List<Event> all = new CopyOnWriteArrayList<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private volatile Thread loop;
  private volatile boolean inside;
  private volatile Consumer<Event> reaction = event -> {};

  /** Creates a handler that reacts to nothing. */
  public RecordingHandler() {}

  /**
   * What to do within an upcall, besides noting it.
   *
   * @param value called on the owning loop; may throw, to see what becomes of that
   */
  public void reaction(Consumer<Event> value) {
    reaction = value;
  }

  /**
   * Names the thread that all upcalls must come on.
   *
   * @param value the loop's thread
   */
  void loop(Thread value) {
    loop = value;
  }

  /**
   * The thread that all upcalls must come on.
   *
   * @return the loop's thread
   */
  Thread loop() {
    return loop;
  }

  /** Runs a method of the queue pair, during which no upcall may come. */
  void inside(Runnable method) {
    boolean before = inside;
    inside = true;
    try {
      method.run();
    } finally {
      inside = before;
    }
  }

  /**
   * The next upcall that was not taken yet and matches; those before it stay.
   *
   * @param type its record
   * @param filter which ones
   * @param <T> its record
   * @return the upcall
   */
  public <T extends Event> T next(Class<T> type, Predicate<T> filter) {
    long until = System.nanoTime() + Waiting.DEADLINE.toNanos();
    List<Event> passed = new java.util.ArrayList<>();
    try {
      while (true) {
        Event event = unread.poll(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (event == null) {
          throw new AssertionError("No " + type.getSimpleName() + " within " + Waiting.DEADLINE
              + "; upcalls so far: " + all);
        }
        if (type.isInstance(event) && filter.test(type.cast(event))) {
          return type.cast(event);
        }
        passed.add(event);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    } finally {
      for (int i = passed.size() - 1; i >= 0; i--) {
        unread.addFirst(passed.get(i));
      }
    }
  }

  /**
   * The next upcall of a kind.
   *
   * @param type its record
   * @param <T> its record
   * @return the upcall
   */
  public <T extends Event> T next(Class<T> type) {
    return next(type, event -> true);
  }

  /**
   * The next completion of a kind of work request.
   *
   * @param opcode the kind
   * @return the completion
   */
  public Completed completion(WorkCompletion.Opcode opcode) {
    return next(Completed.class, completed -> completed.opcode() == opcode);
  }

  /**
   * All upcalls so far.
   *
   * @return in their order
   */
  public List<Event> events() {
    return all;
  }

  /**
   * Which rules were broken.
   *
   * @return empty if none
   */
  public List<String> violations() {
    return violations;
  }

  @Override
  public void established() {
    note(new Established());
  }

  @Override
  public void completed(WorkCompletion completion) {
    note(new Completed(completion.id(), completion.opcode(), completion.status(),
        completion.byteLength(), completion.invalidated(), completion.invalidatedTag()));
  }

  @Override
  public void exposed(Exposure exposure) {
    note(new Exposed(exposure));
  }

  @Override
  public void revoked(Exposure exposure) {
    note(new Revoked(exposure));
  }

  @Override
  public void batchEnd() {
    note(new BatchEnd());
  }

  @Override
  public void disconnected(DisconnectReason reason) {
    note(new Disconnected(reason));
  }

  private void note(Event event) {
    if (Thread.currentThread() != loop) {
      violations.add(event + " on " + Thread.currentThread().getName() + " and not on "
          + (loop == null ? "any known loop" : loop.getName()));
    }
    if (inside) {
      violations.add(event + " from inside a method of the queue pair");
    }
    if (!all.isEmpty() && all.get(all.size() - 1) instanceof Disconnected) {
      violations.add(event + " after disconnected");
    }
    boolean first = all.isEmpty();
    if (first && !(event instanceof Established) && event instanceof Completed completed
        && completed.status() == WorkCompletion.Status.SUCCESS) {
      violations.add(event + " before established");
    }
    all.add(event);
    try {
      reaction.accept(event);
    } finally {
      unread.add(event);
    }
  }
}
