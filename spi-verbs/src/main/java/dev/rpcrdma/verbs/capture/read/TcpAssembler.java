// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sorts segments into connections and puts the streams of each together. A capture decides over no memory: connections
 * and waiting bytes have bounds for all of the capture.
 */
final class TcpAssembler {

  /** Connections that are known at a time. */
  static final int MOST_CONNECTIONS = 4096;

  /** Bytes that wait for missing ones, of all connections together; more than any window that people use. */
  private static final long MOST_WAITING_BYTES = 64L << 20;

  /** A connection and both of its directions. */
  private static final class Pair {
    private final String ends;
    private final Conversation conversation;
    private final HalfStream forward = new HalfStream();
    private final HalfStream backward = new HalfStream();
    /** SYN of another connection of the same ends, or answer to one, which nothing has followed yet; or null. */
    private TcpSegment again;

    Pair(String ends, Conversation conversation) {
      this.ends = ends;
      this.conversation = conversation;
    }

    HalfStream half(boolean fromOpener) {
      return fromOpener ? forward : backward;
    }

    long waitingBytes() {
      return forward.waitingBytes() + backward.waitingBytes();
    }
  }

  private final ConversationHandler handler;
  /**
   * Open connections by their ends, the one that was silent for longest first. Equal hashes of text cost no more time.
   */
  private final Map<String, Pair> pairs = new LinkedHashMap<>(16, 0.75f, true);
  /** Connections that have ended, as many, to tell their late segments from those of the next one. */
  private final Map<String, Pair> endedPairs = new LinkedHashMap<>() {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Pair> eldest) {
      return size() > MOST_CONNECTIONS;
    }
  };
  private int count;
  private long waitingBytes;

  TcpAssembler(ConversationHandler handler) {
    this.handler = handler;
  }

  void segment(TcpSegment segment) {
    if (segment.source().equals(segment.target())) {
      return;
    }
    String key = ends(segment);
    Pair pair = pairs.get(key);
    if (pair == null && !isLate(endedPairs.get(key), segment)) {
      endedPairs.remove(key);
      pair = open(key, segment);
    }
    if (pair == null) {
      return;
    }
    if (segment.opens() && isNew(pair, segment)) {
      // The same ports again, unless it is old or forged: then its receiver goes on (RFC 5961 §4.2).
      pair.again = segment.kept();
      return;
    }
    if (pair.again != null && follows(segment, pair.again)) {
      TcpSegment syn = pair.again;
      end(pair);
      endedPairs.remove(key);
      pair = open(key, syn);
      take(pair, syn);
    } else if (segment.isSyn() && pair.half(isFromOpener(pair, segment)).isContradictedBy(segment.sequence())) {
      // An answer to a SYN that was not captured, unless it is old or forged.
      pair.again = segment.kept();
      return;
    }
    take(pair, segment);
  }

  /** Tells whether a segment comes late of a connection that has ended: all do but a SYN, or another answer to one. */
  private static boolean isLate(Pair before, TcpSegment segment) {
    return before != null && !segment.opens() && !(segment.isSyn()
        && before.half(isFromOpener(before, segment)).isOther(segment.sequence()));
  }

  private Pair open(String key, TcpSegment first) {
    boolean opener = first.opens() || !first.isSyn();
    Pair pair = new Pair(key, new Conversation(++count, opener ? first.source() : first.target(),
        opener ? first.target() : first.source()));
    pairs.put(key, pair);
    handler.opened(pair.conversation);
    if (!first.isSyn()) {
      handler.joined(pair.conversation);
    }
    if (pairs.size() > MOST_CONNECTIONS) {
      forgetSilent(first.frame());
    }
    return pair;
  }

  /**
   * Tells whether a segment shows that the receiver of a SYN has taken it: the answer to it, or what comes next. What
   * comes next from the receiver of an answer has the number that the answer acknowledges.
   */
  private static boolean follows(TcpSegment segment, TcpSegment syn) {
    if (segment.source().equals(syn.source())) {
      return !segment.isSyn() && segment.sequence() == syn.sequence() + 1;
    }
    return syn.opens() ? segment.isSyn() && !segment.opens()
        : segment.sequence() == syn.acknowledgment();
  }

  /** Returns a text that is the same for both directions. */
  private static String ends(TcpSegment segment) {
    String source = end(segment.source());
    String target = end(segment.target());
    return source.compareTo(target) < 0 ? source + target : target + source;
  }

  private static String end(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + " " + address.getPort() + " ";
  }

  private void forgetSilent(long frame) {
    Pair silent = pairs.values().iterator().next();
    handler.forgotten(silent.conversation, frame);
    end(silent);
    // Unlike one that has ended, it may go on, as a stream without a beginning.
    endedPairs.remove(silent.ends);
  }

  private static boolean isFromOpener(Pair pair, TcpSegment segment) {
    return segment.source().equals(pair.conversation.opener());
  }

  private static boolean isNew(Pair pair, TcpSegment segment) {
    return !isFromOpener(pair, segment) || pair.forward.isOther(segment.sequence());
  }

  private void take(Pair pair, TcpSegment segment) {
    boolean fromOpener = isFromOpener(pair, segment);
    HalfStream half = pair.half(fromOpener);
    if (segment.isReset() && !half.hasBegun() && !pair.half(!fromOpener).isAnsweredBy(segment)) {
      // It is of an earlier connection.
      return;
    }
    boolean reset = segment.isReset() && half.isResetBy(segment);
    if (!segment.isReset()) {
      pair.forward.goOn();
      pair.backward.goOn();
      pair.half(!fromOpener).acknowledged(segment);
    }
    waitingBytes -= half.waitingBytes();
    // What a reset carries is text for people (RFC 9293 §3.5.3).
    half.segment(segment.isReset() ? segment.withoutPayload() : segment, (frame, bytes) ->
        handler.bytes(pair.conversation, frame, fromOpener, bytes));
    waitingBytes += half.waitingBytes();
    if (waitingBytes > MOST_WAITING_BYTES) {
      endLargestGaps();
    }
    if (reset || pair.forward.isFinished() && pair.backward.isFinished()) {
      end(pair);
    }
  }

  /** Ends waiting where most bytes wait: what is missing there will not come any more. */
  private void endLargestGaps() {
    Pair largest = pairs.values().stream().max(Comparator.comparingLong(Pair::waitingBytes)).orElseThrow();
    for (boolean fromOpener : new boolean[] {true, false}) {
      // What is missing before a FIN alone takes no memory.
      if (largest.half(fromOpener).waitingBytes() > 0) {
        tellGap(largest, fromOpener);
      }
    }
  }

  private void end(Pair pair) {
    pairs.remove(pair.ends);
    endedPairs.put(pair.ends, pair);
    tellGap(pair, true);
    tellGap(pair, false);
    tellFinished(pair, true);
    tellFinished(pair, false);
    handler.ended(pair.conversation);
  }

  private void tellGap(Pair pair, boolean fromOpener) {
    HalfStream half = pair.half(fromOpener);
    if (half.gapFrame() > 0) {
      handler.gap(pair.conversation, half.gapFrame(), fromOpener, half.gapBytes());
      waitingBytes -= half.waitingBytes();
      half.giveUp();
    }
  }

  private void tellFinished(Pair pair, boolean fromOpener) {
    HalfStream half = pair.half(fromOpener);
    if (half.isFinished()) {
      handler.finished(pair.conversation, half.finishFrame(), fromOpener);
    }
  }

  /** The capture is over. */
  void end() {
    List.copyOf(pairs.values()).forEach(this::end);
  }
}
