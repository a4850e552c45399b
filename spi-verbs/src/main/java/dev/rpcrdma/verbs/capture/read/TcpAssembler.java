// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
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
    private final Conversation conversation;
    private final HalfStream forward = new HalfStream();
    private final HalfStream backward = new HalfStream();
    private boolean ended;

    Pair(Conversation conversation) {
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
  /** Connections by their ends, the one that was silent for longest first. Equal hashes of text cost no more time. */
  private final Map<String, Pair> pairs = new LinkedHashMap<>(16, 0.75f, true);
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
    if (pair != null && segment.opens() && isNew(pair, segment)) {
      // The same ports again.
      end(pair);
      pair = null;
    }
    if (pair == null) {
      boolean opener = segment.opens() || !segment.isSyn();
      pair = new Pair(new Conversation(++count, opener ? segment.source() : segment.target(),
          opener ? segment.target() : segment.source()));
      pairs.put(key, pair);
      handler.opened(pair.conversation);
      if (pairs.size() > MOST_CONNECTIONS) {
        forgetSilent(segment.frame());
      }
    }
    if (!pair.ended) {
      take(pair, segment);
    }
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
    Iterator<Pair> all = pairs.values().iterator();
    Pair silent = all.next();
    all.remove();
    if (!silent.ended) {
      handler.forgotten(silent.conversation, frame);
      end(silent);
    }
  }

  private static boolean isNew(Pair pair, TcpSegment segment) {
    boolean fromOpener = segment.source().equals(pair.conversation.opener());
    return pair.ended || !fromOpener || pair.forward.isOther(segment.sequence());
  }

  private void take(Pair pair, TcpSegment segment) {
    boolean fromOpener = segment.source().equals(pair.conversation.opener());
    HalfStream half = pair.half(fromOpener);
    waitingBytes -= half.waitingBytes();
    half.segment(segment, (frame, bytes) ->
        handler.bytes(pair.conversation, frame, fromOpener, bytes));
    waitingBytes += half.waitingBytes();
    if (waitingBytes > MOST_WAITING_BYTES) {
      endLargestGaps();
    }
    if (segment.isReset() || pair.forward.isFinished() && pair.backward.isFinished()) {
      end(pair);
    }
  }

  /** Ends waiting where most bytes wait: what is missing there will not come any more. */
  private void endLargestGaps() {
    Pair largest = pairs.values().stream().max(Comparator.comparingLong(Pair::waitingBytes)).orElseThrow();
    tellGap(largest, true);
    tellGap(largest, false);
  }

  private void end(Pair pair) {
    if (!pair.ended) {
      pair.ended = true;
      tellGap(pair, true);
      tellGap(pair, false);
      handler.ended(pair.conversation);
    }
  }

  private void tellGap(Pair pair, boolean fromOpener) {
    HalfStream half = pair.half(fromOpener);
    if (half.gapFrame() > 0) {
      handler.gap(pair.conversation, half.gapFrame(), fromOpener, half.gapBytes());
      waitingBytes -= half.waitingBytes();
      half.giveUp();
    }
  }

  /** The capture is over. */
  void end() {
    pairs.values().forEach(this::end);
  }
}
