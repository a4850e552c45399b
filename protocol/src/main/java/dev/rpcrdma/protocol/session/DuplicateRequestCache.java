// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.responder.CallHistory;
import dev.rpcrdma.protocol.responder.CallRecord;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.responder.Reply;
import dev.rpcrdma.protocol.time.Deadlines;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Supplier;

/**
 * What one caller has called, and what it was answered, so that a call that comes again is answered again
 * and not executed again (RFC 5531 §8.1, R-159). One for each caller and direction. How a call is known
 * again is for {@link SessionCache} and {@link ForeignCache}; what is the same for both is here.
 *
 * <pre>
 *   PULLING ──admitted──▶ EXECUTING ──replied, or service time over──▶ ANSWERED ──bytes needed──▶ GONE
 *      │                      └──the same, and it may be executed again──▶ FORGOTTEN
 *      └──refused, or dropped and nobody waits──▶ FORGOTTEN
 * </pre>
 *
 * <p>Replies are kept as they were encoded, before any chunk was planned: a repetition may come over
 * another connection, with other chunks (B-095).
 *
 * <p><b>Bounds.</b> The youngest replies are kept as copies, up to a number of bytes. A reply that is larger than
 * that, and was not pulled when its connection was lost, is kept as it is, up to another number of bytes. A call
 * whose reply is gone is still not executed again, but answered with an error. An execution ends, for this cache,
 * when its service's time is over, whether or not its connection is still there: the answer is SYSTEM_ERR then,
 * which is kept as any other.
 */
public abstract class DuplicateRequestCache implements CallHistory {

  /** After so many refusals by the peer's device a call is not tried once more; Linux tries three times. */
  private static final int HOPELESS = 3;
  /** Of so many calls refusals are counted. */
  private static final int COUNTED = 256;

  private final Deadlines deadlines;
  private final LinkedHashMap<Integer, Integer> refusals = new LinkedHashMap<>();
  /** Those whose replies are kept as copies. */
  private final Kept copies;
  /** Those whose replies are larger than all copies together, and kept as they are. */
  private final Kept large;

  DuplicateRequestCache(Deadlines deadlines, long maxBytes, long maxLargeBytes) {
    if (maxBytes < 0 || maxLargeBytes < 0) {
      throw new IllegalArgumentException("A number of bytes is not negative: " + maxBytes + ", " + maxLargeBytes);
    }
    this.deadlines = deadlines;
    this.copies = new Kept(maxBytes);
    this.large = new Kept(maxLargeBytes);
  }

  /**
   * How much is kept.
   *
   * @return bytes of results
   */
  public long bytes() {
    return copies.bytes;
  }

  /**
   * How much is kept of replies that are larger than all others together may be.
   *
   * @return bytes of results
   */
  public long largeBytes() {
    return large.bytes;
  }

  /**
   * How many calls are remembered.
   *
   * @return a count
   */
  public abstract int size();

  /** Forgets everything. Executions that have begun go on, and are not remembered. */
  public void clear() {
    refusals.clear();
  }

  @Override
  public boolean hopeless(int xid) {
    return refusals.getOrDefault(xid, 0) >= HOPELESS;
  }

  @Override
  public void operationsFailed(int xid) {
    refusals.merge(xid, 1, Integer::sum);
    if (refusals.size() > COUNTED) {
      refusals.remove(refusals.keySet().iterator().next());
    }
  }

  /** Answered calls whose replies are kept, the oldest first, up to a number of bytes. */
  private static final class Kept {

    private final long most;
    private final LinkedHashSet<Entry> entries = new LinkedHashSet<>();
    private long bytes;

    Kept(long most) {
      this.most = most;
    }

    boolean takes(Reply reply) {
      return reply.results().length() <= most;
    }

    /** Adds one that is not larger than all may be, and drops the oldest for it. */
    void add(Entry entry) {
      bytes += entry.reply.results().length();
      entries.add(entry);
      while (bytes > most) {
        entries.iterator().next().dropReply();
      }
    }

    /** Takes one out, if it is in. */
    boolean remove(Entry entry) {
      boolean removed = entries.remove(entry);
      bytes -= removed ? entry.reply.results().length() : 0;
      return removed;
    }
  }

  enum State { PULLING, EXECUTING, ANSWERED, GONE, FORGOTTEN }

  /** One call. */
  class Entry extends Deadlines.Entry implements CallRecord {

    private int xid;
    /** Who has made it. */
    private Object principal;
    private State state = State.PULLING;
    private boolean repeatable;
    /** The call that is still to tell how it ends, even if nobody waits for that; null if there is none. */
    private IncomingCall followed;
    /** Of an answered call. */
    private Reply reply;
    /** Whether the requester has the reply, so that no connection that ends later has it kept. */
    private boolean delivered;
    /** The call, come again before it is answered (B-096). */
    private List<IncomingCall> waiters = List.of();

    Entry(int xid) {
      this.xid = xid;
    }

    int xid() {
      return xid;
    }

    boolean executing() {
      return state == State.EXECUTING;
    }

    /** Takes the entry out of the cache. */
    void remove() {}

    /** The call is answered, and who waited for that has heard. */
    void answered() {}

    /** Follows a call until it tells how it ends. */
    void follow(IncomingCall call) {
      followed = call;
      principal = call.principal();
      call.record(this);
    }

    /**
     * Forgets its call for another one.
     *
     * @return false if its call is still to tell how it ends: the other one needs another entry
     */
    boolean reuse(int otherXid) {
      forget();
      if (followed != null) {
        return false;
      }
      xid = otherXid;
      state = State.PULLING;
      repeatable = false;
      delivered = false;
      return true;
    }

    /** The call goes to a service. */
    void executing(boolean mayBeRepeated) {
      state = State.EXECUTING;
      repeatable = mayBeRepeated;
    }

    boolean forgotten() {
      return state == State.FORGOTTEN;
    }

    /** The call has come again, if it is the same principal's. */
    void again(IncomingCall call) {
      if (!principal.equals(call.principal())) {
        // what one principal has called is not told to another one, which has used the same XID.
        call.reject(new ReplyHeader.AuthError(xid, AuthStatus.REJECTEDCRED));
        return;
      }
      call.keptBy(this);
      switch (state) {
        case ANSWERED -> call.replyAgain(reply);
        case GONE -> call.replyGone();
        default -> join(call);
      }
    }

    private void join(IncomingCall call) {
      if (waiters.isEmpty()) {
        waiters = new ArrayList<>(1);
      }
      if (state == State.EXECUTING) {
        // Else it may take the place of the first one.
        call.notRead();
      }
      waiters.removeIf(waiter -> !waiter.waiting());
      waiters.add(call);
    }

    private List<IncomingCall> takeWaiters() {
      List<IncomingCall> all = waiters;
      waiters = List.of();
      return all;
    }

    @Override
    public void replied(Supplier<Reply> made) {
      followed = null;
      answer(made);
    }

    private void answer(Supplier<Reply> made) {
      if (state == State.ANSWERED || state == State.GONE) {
        // The service has taken longer than it may; its callers have heard so.
        return;
      }
      deadlines.remove(this);
      if (repeatable) {
        forget();
      }
      // Nobody can come again with what is forgotten.
      boolean wanted = state != State.FORGOTTEN;
      if (wanted || !waiters.isEmpty()) {
        Reply answer = made.get();
        if (wanted) {
          keep(answer);
        }
        tell(answer);
      }
      answered();
    }

    private void tell(Reply made) {
      for (IncomingCall waiter : takeWaiters()) {
        if (waiter.waiting()) {
          waiter.replyAgain(made);
        }
      }
    }

    @Override
    public void refused(Reply made) {
      followed = null;
      forget();
      tell(made);
    }

    @Override
    public void dropped() {
      followed = null;
      if (!waiters.isEmpty()) {
        waiters.removeIf(waiter -> !waiter.waiting());
      }
      if (state == State.FORGOTTEN) {
        takeWaiters().forEach(IncomingCall::replyGone);
      } else if (waiters.isEmpty()) {
        forget();
      } else {
        // The last one: it has come over the youngest connection.
        IncomingCall next = waiters.remove(waiters.size() - 1);
        follow(next);
        next.proceed();
      }
    }

    @Override
    public void orphaned(long deadline) {
      if (state == State.EXECUTING) {
        deadlines.add(this, deadline);
      } else if (state == State.FORGOTTEN) {
        leaveDeserted();
      }
    }

    @Override
    public void givenUp() {
      if (state == State.EXECUTING && isAlone()) {
        forget();
      }
    }

    /** Whether no repetition waits for what its service answers. */
    private boolean isAlone() {
      return waiters.stream().noneMatch(IncomingCall::waiting);
    }

    /** Its call has no caller any more if its connection is lost and nobody can come again with it. */
    private void leaveDeserted() {
      if (followed != null && followed.isLost() && isAlone()) {
        IncomingCall deserted = followed;
        followed = null;
        deserted.deserted();
      }
    }

    @Override
    protected void expired(long now) {
      answer(() -> Reply.systemError(xid));
      // The service's time is over, as it is for a call whose connection is there.
      leaveDeserted();
    }

    private void keep(Reply made) {
      if (!copies.takes(made)) {
        state = State.GONE;
        return;
      }
      // A copy: memory of the application, or of the pool, is not kept for what nobody may ask for.
      reply = made.copy();
      state = State.ANSWERED;
      copies.add(this);
    }

    /** Without a copy, which would take too long: its items have one owner more until it is dropped. */
    @Override
    public void undelivered(int of, Reply made) {
      if (xid != of || state != State.GONE || delivered || !large.takes(made)
          || !made.results().tryRetainItems()) {
        return;
      }
      reply = made;
      state = State.ANSWERED;
      large.add(this);
    }

    private void dropReply() {
      if (large.remove(this)) {
        reply.results().releaseItemsLeft();
      } else {
        copies.remove(this);
      }
      reply = null;
      state = State.GONE;
    }

    @Override
    public void delivered(int of) {
      if (xid != of) {
        return;
      }
      delivered = true;
      if (reply != null) {
        dropReply();
      }
    }

    /** Nobody can come again with this call. Its execution goes on if it has begun, or somebody waits for it. */
    void forget() {
      if (reply != null) {
        dropReply();
      }
      deadlines.remove(this);
      state = State.FORGOTTEN;
      remove();
      leaveDeserted();
    }
  }
}
