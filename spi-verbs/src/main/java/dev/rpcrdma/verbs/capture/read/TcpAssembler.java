// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Sorts segments into connections and puts the streams of each together. */
final class TcpAssembler {

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
  }

  private final ConversationHandler handler;
  private final Map<Set<InetSocketAddress>, Pair> pairs = new LinkedHashMap<>();
  private int count;

  TcpAssembler(ConversationHandler handler) {
    this.handler = handler;
  }

  void segment(TcpSegment segment) {
    if (segment.source().equals(segment.target())) {
      return;
    }
    Set<InetSocketAddress> key = Set.of(segment.source(), segment.target());
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
    }
    if (!pair.ended) {
      take(pair, segment);
    }
  }

  private static boolean isNew(Pair pair, TcpSegment segment) {
    boolean fromOpener = segment.source().equals(pair.conversation.opener());
    return pair.ended || !fromOpener || pair.forward.isOther(segment.sequence());
  }

  private void take(Pair pair, TcpSegment segment) {
    boolean fromOpener = segment.source().equals(pair.conversation.opener());
    HalfStream half = pair.half(fromOpener);
    half.segment(segment, (frame, bytes) ->
        handler.bytes(pair.conversation, frame, fromOpener, bytes));
    if (half.isOverfull()) {
      tellGap(pair, fromOpener);
    }
    if (segment.isReset() || pair.forward.isFinished() && pair.backward.isFinished()) {
      end(pair);
    }
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
      half.giveUp();
    }
  }

  /** The capture is over. */
  void end() {
    pairs.values().forEach(this::end);
  }
}
