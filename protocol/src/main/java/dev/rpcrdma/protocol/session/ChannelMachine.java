// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.requester.Call;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Outcome.Kind;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The calls of one end to one peer, over one connection after the other: wants a connection when there
 * is something to send, gives it every call that waits, in the order in which they were made, and after
 * its loss gives them to the next. Within a session, or to a peer that shows none, a call that was sent
 * keeps its XID (RFC 5531 §8.1, R-159, R-233); a new session has seen none of them, and gives new ones.
 *
 * <pre>
 *   IDLE ──call──▶ CONNECTING ──up──▶ UP ──a call finds it ending──▶ ENDING
 *    ▲               │      ▲          │                               │
 *    │ given up,     │failed│ pause    └────────── lost ───────────────┤
 *    │ or nothing    ▼      │ over                                     │
 *    └─────────────PAUSING──┘◀─────────────────────────────────────────┘
 * </pre>
 *
 * <p>The peer's end of a reverse direction cannot connect: there {@code connect} does nothing,
 * and calls wait until the client is back, or their time is over (R-234, C-20).
 *
 * <p><b>Ownership.</b> Who makes a call keeps its items alive until its outcome.
 */
public final class ChannelMachine {

  private enum State { IDLE, CONNECTING, PAUSING, UP, ENDING, CLOSED }

  private static final int SPARES_AT_A_TIME = 8;
  /** As many calls as are mostly on their way at a time. */
  private static final int MOST_SPARES = 128;
  private static final String LEAVES = "The peer is leaving";

  private final ChannelSettings settings;
  private final Runnable connect;
  private final BooleanSupplier elsewhere;
  private final Deadlines deadlines;
  /** Calls that wait for a connection, in the order in which they were made. */
  private final TreeSet<ChannelCall> waiting =
      new TreeSet<>(Comparator.comparingLong(ChannelCall::turn));
  private final Backoff backoff;
  private final Deadlines.Entry pause = new Deadlines.Entry() {
    @Override
    protected void expired(long now) {
      state = State.IDLE;
      want();
    }
  };
  /** The peer has been away for as long as anybody waits. */
  private final Deadlines.Entry patience = new Deadlines.Entry() {
    @Override
    protected void expired(long now) {
      patient = false;
      failWaiting(new Outcome.Failed(Kind.NOT_CONNECTED, "The peer has not been reached for "
          + TimeUnit.NANOSECONDS.toMillis(settings.patience()) + " ms"));
    }
  };
  /** Calls that are over, and are used again. */
  private ChannelCall[] spare = {};
  private int spares;
  private boolean patient = true;
  private State state = State.IDLE;
  private Line line;
  private Optional<InstanceId> session = Optional.empty();
  private boolean keepConnected;
  /** It has been up, and has not said that it leaves while there are others: calls wait for it. */
  private boolean awaited;
  private boolean heard;
  private long upSince;
  /** Whether connect() began the current attempt during a pause; such an attempt does not count. */
  private boolean early;
  /** Calls of before are being given to the line; new ones come behind them. */
  private boolean resuming;
  private long lastTurn;
  /** Calls without an outcome. */
  private int pending;
  private long replays;

  /**
   * Creates a channel without a connection.
   *
   * @param settings how it behaves
   * @param connect asks for a connection; answered, not from inside, by {@link #up} or {@link #failed}
   * @param deadlines where its own are put, with those of all other machines of its thread
   * @param random makes channels of one loss come back at different times
   */
  public ChannelMachine(ChannelSettings settings, Runnable connect, Deadlines deadlines,
      RandomGenerator random) {
    this(settings, connect, deadlines, random, () -> false);
  }

  /**
   * Creates a channel without a connection, whose calls may have other peers to go to.
   *
   * @param settings how it behaves
   * @param connect as above
   * @param deadlines as above
   * @param random as above
   * @param elsewhere whether there are other peers now: what may go there does not wait for this one
   */
  public ChannelMachine(ChannelSettings settings, Runnable connect, Deadlines deadlines,
      RandomGenerator random, BooleanSupplier elsewhere) {
    this.settings = settings;
    this.elsewhere = elsewhere;
    this.deadlines = deadlines;
    this.connect = connect;
    this.backoff = new Backoff(settings, random);
  }

  // Questions

  /**
   * Calls that wait for a connection.
   *
   * @return a count
   */
  public int waitingCalls() {
    return waiting.size();
  }

  /**
   * Calls without an outcome.
   *
   * @return a count
   */
  public int pendingCalls() {
    return pending;
  }

  /**
   * Calls that were sent again after a loss.
   *
   * @return a count
   */
  public long replays() {
    return replays;
  }

  Optional<InstanceId> session() {
    return session;
  }

  // Commands

  /**
   * Makes a call.
   *
   * @param called what to call; hears of its outcome exactly once
   * @param repetition what may be done with the call once it was sent
   * @param deadline when to give it up
   * @return what can be cancelled
   */
  public ChannelCall call(Call called, Repetition repetition, long deadline) {
    ChannelCall call = spares == 0 ? new ChannelCall(this) : takeSpare();
    call.begin(called, repetition, deadline, ++lastTurn);
    pending++;
    begin(call);
    return call;
  }

  private void begin(ChannelCall call) {
    if (state == State.CLOSED) {
      call.end(new Outcome.Failed(Kind.CLOSED, "The channel is closed"));
    } else if (state == State.ENDING && !awaited) {
      call.end(new Outcome.Failed(Kind.NOT_CONNECTED, LEAVES));
    } else if (state == State.UP && !resuming && line.takes(call.head())) {
      call.give(line);
    } else if (waiting.size() >= settings.maxWaiting()) {
      call.end(new Outcome.Failed(Kind.RESOURCES, "More than " + settings.maxWaiting()
          + " calls wait for a connection; raise maxQueuedCalls or slow down"));
    } else {
      hold(call);
      want();
    }
  }

  /**
   * Says whether to keep a connection up without calls. In the beginning it is not.
   *
   * @param kept false if a connection that is lost need not be made again before there are calls
   */
  public void keepConnected(boolean kept) {
    keepConnected = kept;
    want();
  }

  /** Connects now, whether or not there is anything to send, and without any pause. */
  public void connect() {
    if (state == State.IDLE || state == State.PAUSING) {
      early = state == State.PAUSING;
      deadlines.remove(pause);
      state = State.CONNECTING;
      connect.run();
    }
  }

  /**
   * Takes no more calls; those that wait for a connection fail, those on one are left to it.
   * Idempotent.
   */
  public void close() {
    state = State.CLOSED;
    forgetSpares();
    deadlines.remove(pause);
    deadlines.remove(patience);
    failWaiting(new Outcome.Failed(Kind.CLOSED, "The channel was closed"));
  }

  // Events

  /**
   * The peer has shown itself over a new connection; before {@link #up}, or instead of it. The line that was
   * up, if there is one, takes no more calls: the peer has given it up.
   *
   * @param shown the session that the peer shows; empty if it promises nothing beyond the connection
   * @param same whether it is the one that it has shown before, so that it knows the calls that it got
   */
  public void met(Optional<InstanceId> shown, boolean same) {
    if (state == State.CLOSED) {
      return;
    }
    if (state == State.UP) {
      state = State.ENDING;
    }
    session = shown;
    if (same) {
      return;
    }
    for (ChannelCall call : List.copyOf(waiting)) {
      if (call.waiting() && !call.maySend(settings.replay(), session)) {
        call.end(new Outcome.Failed(Kind.FORGOTTEN, "The connection was lost, and the peer has no memory "
            + "of it (it may have restarted): the call may have been executed", true));
      } else if (call.waiting()) {
        call.dropXid();
      }
    }
  }

  /**
   * A connection is up, over which the peer has shown what {@link #met} was told.
   *
   * @param up takes calls until {@link #lost}
   * @param now the time
   */
  public void up(Line up, long now) {
    if (state == State.CLOSED) {
      return;
    }
    deadlines.remove(pause);
    deadlines.remove(patience);
    patient = true;
    state = State.UP;
    line = up;
    awaited = true;
    heard = false;
    upSince = now;
    resume();
  }

  /** The peer has said of more calls that it takes them ({@link Line#takes}): those that wait are given. */
  public void resume() {
    if (state != State.UP || resuming) {
      return;
    }
    resuming = true;
    try {
      List<ChannelCall> all = givable();
      while (!all.isEmpty()) {
        for (ChannelCall call : all) {
          // Those that are given may end others, or the line, or make new ones.
          if (state == State.UP && call.waiting()) {
            resume(call);
          }
        }
        all = givable();
      }
    } finally {
      resuming = false;
    }
  }

  private List<ChannelCall> givable() {
    return state == State.UP
        ? waiting.stream().filter(call -> line.takes(call.head())).toList() : List.of();
  }

  private void resume(ChannelCall call) {
    replays += call.maybeExecuted() ? 1 : 0;
    waiting.remove(call);
    deadlines.remove(call.timer());
    call.give(line);
  }

  /**
   * Connecting has failed.
   *
   * @param message for people
   * @param now the time
   */
  public void failed(String message, long now) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.IDLE;
    boolean counts = !early;
    if (elsewhere.getAsBoolean()) {
      fail(new Outcome.Failed(Kind.NOT_CONNECTED, message), ChannelCall::mayGoElsewhere);
      if (state != State.IDLE) {
        return;
      }
    }
    // Who was never connected may have the address wrong, and would like to know at once.
    if (!awaited || counts && !backoff.failed() || !patient) {
      failWaiting(new Outcome.Failed(Kind.NOT_CONNECTED, message));
      if (state != State.IDLE) {
        return;
      }
      backoff.restart();
    }
    if (!waiting.isEmpty() || keepConnected) {
      state = State.PAUSING;
      deadlines.add(pause, now + backoff.delay());
    }
  }

  /**
   * The peer is about to go. What the line was given has its outcome there; it takes no more. If there are other peers,
   * calls that wait fail, and others do until a connection is up again, or none can be made. Else they wait for the
   * peer to be back.
   */
  public void leaves() {
    if (state == State.UP) {
      state = State.ENDING;
      awaited = !elsewhere.getAsBoolean();
      if (!awaited) {
        failWaiting(new Outcome.Failed(Kind.NOT_CONNECTED, LEAVES));
      }
    }
  }

  /**
   * The connection has ended, and all its calls have heard so before.
   *
   * @param now the time
   */
  public void lost(long now) {
    if (state == State.CLOSED) {
      return;
    }
    line = null;
    forgetSpares();
    state = State.IDLE;
    if (settings.patience() != Long.MAX_VALUE) {
      deadlines.remove(patience);
      deadlines.add(patience, now + settings.patience());
    }
    if (heard || now - upSince >= settings.maxDelay()) {
      backoff.succeeded();
      want();
    } else {
      // One that takes connections, answers nothing and ends them is no better than one that takes none.
      failed("The connection was lost before anything was answered", now);
    }
  }

  // From calls

  void replied() {
    heard = true;
    pending--;
  }

  private ChannelCall takeSpare() {
    ChannelCall call = spare[--spares];
    spare[spares] = null;
    return call;
  }

  /** A call is over, to which nothing leads any more. */
  void useAgain(ChannelCall call) {
    if (state != State.UP) {
      return;
    }
    if (spares == spare.length && spares < MOST_SPARES) {
      spare = Arrays.copyOf(spare, spares + SPARES_AT_A_TIME);
    }
    if (spares < spare.length) {
      spare[spares++] = call;
    }
  }

  /** Lets go of calls that lead to the connection which they were made over. */
  private void forgetSpares() {
    spare = new ChannelCall[0];
    spares = 0;
  }

  void ended(ChannelCall call) {
    pending--;
    if (waiting.remove(call)) {
      deadlines.remove(call.timer());
    }
  }

  /** A call's connection has ended before its reply; tells whether it is kept for the next. */
  boolean waitForNext(ChannelCall call) {
    if (state == State.CLOSED) {
      return false;
    }
    state = State.ENDING;
    // Without a session there will be nothing to compare: it may as well fail now.
    if (!call.maySend(settings.replay(), session)) {
      return false;
    }
    call.keepXidIf(session);
    hold(call);
    return true;
  }

  private void hold(ChannelCall call) {
    waiting.add(call);
    deadlines.add(call.timer(), call.deadline());
  }

  private void want() {
    if (state == State.IDLE && (keepConnected || !waiting.isEmpty())) {
      early = false;
      state = State.CONNECTING;
      connect.run();
    }
  }

  private void failWaiting(Outcome.Failed failure) {
    fail(failure, call -> true);
  }

  private void fail(Outcome.Failed failure, Predicate<ChannelCall> which) {
    for (ChannelCall call : List.copyOf(waiting)) {
      if (call.waiting() && which.test(call)) {
        call.end(failure);
      }
    }
  }
}
