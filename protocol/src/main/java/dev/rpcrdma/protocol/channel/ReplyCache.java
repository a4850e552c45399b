package dev.rpcrdma.protocol.channel;

import dev.rpcrdma.protocol.connection.CallHistory;
import dev.rpcrdma.protocol.connection.CallRecord;
import dev.rpcrdma.protocol.connection.IncomingCall;
import dev.rpcrdma.protocol.table.IntTable;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * What one caller has called, and what it was answered, so that a call that comes again is answered
 * again and not executed again. One for each caller and direction: within it, a call is known by its XID
 * and its {@linkplain IncomingCall#fingerprint fingerprint}.
 *
 * <p>Replies are kept as they were encoded, before any chunk was planned: a repetition may come over
 * another connection, with other chunks (B-095).
 *
 * <p><b>Bounds.</b> Of answered calls the last few are remembered; see the package for how many are
 * enough. Of their replies the youngest are kept, up to a number of bytes; a call whose reply was too
 * large to keep is still not executed again, but answered with an error. Calls that are executed are
 * bounded by the credits of the connections that brought them, and here once more.
 */
public final class ReplyCache implements CallHistory {

  /** The connection that a call came over, as far as repeated answers are concerned. */
  public interface Answers {

    /**
     * Answers a call with a reply that was made before.
     *
     * @param call the call
     * @param reply still the cache's
     */
    void answerAgain(IncomingCall call, PayloadStream reply);

    /**
     * Answers a call whose reply is not to be had any more.
     *
     * @param call the call
     */
    void answerLost(IncomingCall call);
  }

  private record Waiter(IncomingCall call, Answers answers) {}

  /** After so many lost connections a call is not tried once more; Linux itself tries three times. */
  private static final int HOPELESS = 3;
  /** How many times more calls may be executed at once than are remembered afterwards. */
  private static final int EXECUTING = 4;

  private final int window;
  private final long maxBytes;
  private final IntTable<Entry> entries = new IntTable<>();
  private final ArrayDeque<Entry> answered = new ArrayDeque<>();
  private final LinkedHashMap<Integer, Integer> failures = new LinkedHashMap<>();
  private int executing;
  private long bytes;

  /**
   * Creates an empty cache.
   *
   * @param window how many answered calls to remember, at least 1
   * @param maxBytes how much of their replies to keep
   */
  public ReplyCache(int window, long maxBytes) {
    if (window < 1 || maxBytes < 0) {
      throw new IllegalArgumentException("A cache's limits are out of range");
    }
    this.window = window;
    this.maxBytes = maxBytes;
  }

  /**
   * How much is kept.
   *
   * @return bytes of replies
   */
  public long bytes() {
    return bytes;
  }

  /**
   * How many calls are remembered, answered or being executed.
   *
   * @return a count
   */
  public int size() {
    return entries.size();
  }

  /**
   * Decides about a call. If it is new, its outcome will be remembered; else it is answered, now or when
   * its first execution ends.
   *
   * @param call has not been read yet
   * @param answers its connection
   * @return whether to execute it
   */
  public boolean admit(IncomingCall call, Answers answers) {
    long fingerprint = call.fingerprint();
    Entry known = entries.get(call.xid());
    if (known != null && known.fingerprint == fingerprint) {
      known.again(call, answers);
      return false;
    }
    if (known != null && known.executing) {
      // Another call under the XID of one that is being executed: nobody could tell their repetitions
      // apart, so this one has none.
      return true;
    }
    if (executing >= EXECUTING * window) {
      answers.answerLost(call);
      return false;
    }
    if (known != null) {
      answered.remove(known);
      known.forget();
    }
    Entry entry = new Entry(call.xid(), fingerprint);
    entries.put(call.xid(), entry);
    executing++;
    call.record(entry);
    return true;
  }

  /** Forgets everything. Executions go on, and are not remembered. */
  public void clear() {
    answered.forEach(Entry::dropReply);
    answered.clear();
    entries.clear();
    failures.clear();
    executing = 0;
  }

  @Override
  public boolean hopeless(int xid) {
    return failures.getOrDefault(xid, 0) >= HOPELESS;
  }

  @Override
  public void operationsFailed(int xid) {
    failures.merge(xid, 1, Integer::sum);
    if (failures.size() > window) {
      failures.remove(failures.keySet().iterator().next());
    }
  }

  /** One call. */
  private final class Entry implements CallRecord {

    private final int xid;
    private final long fingerprint;
    private boolean executing = true;
    /** Null while it is executed, and when it is not kept. */
    private PayloadStream reply;
    /** The call, come again while it is executed (B-096). */
    private List<Waiter> waiters = List.of();

    Entry(int xid, long fingerprint) {
      this.xid = xid;
      this.fingerprint = fingerprint;
    }

    void again(IncomingCall call, Answers answers) {
      if (!executing) {
        answer(call, answers);
        return;
      }
      if (waiters.isEmpty()) {
        waiters = new ArrayList<>(1);
      }
      call.notRead();
      waiters.removeIf(waiter -> waiter.call.answered());
      waiters.add(new Waiter(call, answers));
    }

    private void answer(IncomingCall call, Answers answers) {
      if (reply == null) {
        answers.answerLost(call);
      } else {
        answers.answerAgain(call, reply);
      }
    }

    @Override
    public void replied(PayloadStream made) {
      boolean forgotten = entries.get(xid) != this;
      executing = false;
      reply = made;
      waiters.forEach(waiter -> answer(waiter.call, waiter.answers));
      waiters = List.of();
      reply = null;
      if (!forgotten) {
        ReplyCache.this.executing--;
        keep(made);
      }
    }

    private void keep(PayloadStream made) {
      answered.add(this);
      if (made.length() <= maxBytes) {
        // A copy: memory of the application, or of the pool, is not kept for what nobody may ask for.
        reply = made.copy();
        bytes += made.length();
      }
      for (Entry oldest : answered) {
        if (bytes <= maxBytes) {
          break;
        }
        oldest.dropReply();
      }
      if (answered.size() > window) {
        answered.poll().forget();
      }
    }

    void dropReply() {
      if (reply != null) {
        bytes -= reply.length();
        reply = null;
      }
    }

    void forget() {
      dropReply();
      entries.remove(xid, this);
    }
  }
}
