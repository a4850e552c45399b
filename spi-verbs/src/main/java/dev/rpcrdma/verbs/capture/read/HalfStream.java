// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * One direction of a connection: puts its bytes in order, each once, however they were sent and
 * captured. Where copies of a byte differ, the first one counts; of copies that begin at one place behind a gap, the
 * longest.
 */
final class HalfStream {

  /** Bytes that a waiting segment takes beside its payload, about. */
  private static final int WAITING_OVERHEAD = 128;

  /** The most bytes that may be on their way (RFC 7323 §2.3). */
  private static final long LARGEST_WINDOW = 1 << 30;

  /** Position of the end of a stream without a FIN. */
  private static final long NOWHERE = -1;

  /** Gets bytes that are in order. */
  @FunctionalInterface
  interface Sink {
    void bytes(long frame, ByteBuffer bytes);
  }

  /** Position of the farthest byte that was sent, as a frame shows. */
  private record Shown(long position, long frame) {
    static final Shown NOTHING = new Shown(0, 0);

    Shown farther(Shown other) {
      return position < other.position ? other : this;
    }
  }

  /** A segment that came too early. */
  private record Waiting(long frame, ByteBuffer payload) {

    int bytes() {
      return WAITING_OVERHEAD + payload.remaining();
    }
  }

  private final TreeMap<Long, Waiting> waiting = new TreeMap<>();
  private boolean started;
  private boolean begunBySyn;
  /** Whether nothing but SYNs has come, so that its sender may wait for an answer. */
  private boolean onlySyn;
  /** Whether nothing but a segment without bytes has come, so that its number may be one too low. */
  private boolean probed;
  private boolean lost;
  private int initial;
  private long next;
  private long waitingBytes;
  /** Position behind the last byte, as a FIN has told it; {@link #NOWHERE} without a FIN. */
  private long finish = NOWHERE;
  private long finishFrame;
  private Shown shown = Shown.NOTHING;
  /** The same of resets, which are forged if the connection goes on. */
  private Shown shownByReset = Shown.NOTHING;
  /** The same of the last acknowledgment by the other side. */
  private Shown acknowledged = Shown.NOTHING;

  /** Whether a SYN is another one than that which began this direction. */
  boolean isOther(int sequence) {
    return started && sequence != initial;
  }

  /** Tells whether a SYN cannot belong to this direction, as far as it has gone. */
  boolean isContradictedBy(int sequence) {
    return isOther(sequence) && !isAtBeginning();
  }

  /** Tells whether nothing has come but segments without bytes, and no SYN, which takes the first number. */
  private boolean isAtBeginning() {
    return next == 0 && waiting.isEmpty();
  }

  /** Takes a segment; a SYN takes one sequence number, as the first byte of the stream does. */
  void segment(TcpSegment segment, Sink sink) {
    if (!started || segment.isSyn() && isAtBeginning()) {
      begin(segment);
    }
    if (probed && position(segment) == 1) {
      // What came first was a keep-alive or a window probe, which has the number before the next one.
      next = 1;
    }
    probed &= next == 0;
    onlySyn &= segment.isSyn();
    long start = position(segment);
    ByteBuffer payload = segment.payload();
    if (segment.isFin()) {
      finish(start + segment.length(), segment.frame());
    }
    show(start + segment.length(), segment);
    if (lost || isFinished() || payload.remaining() == 0 || start + payload.remaining() <= next) {
      return;
    }
    if (start > next) {
      keep(start, segment.frame(), payload);
      return;
    }
    deliver(start, segment.frame(), payload, sink);
    while (!waiting.isEmpty() && waiting.firstKey() <= next) {
      Map.Entry<Long, Waiting> entry = waiting.pollFirstEntry();
      waitingBytes -= entry.getValue().bytes();
      // What was missing has come with this frame.
      deliver(entry.getKey(), segment.frame(), entry.getValue().payload(), sink);
    }
  }

  /** Begins by a segment. The answer to a SYN begins anew: what came in front of it was old, and tells nothing. */
  private void begin(TcpSegment segment) {
    started = true;
    begunBySyn = segment.isSyn();
    onlySyn = begunBySyn;
    initial = segment.sequence();
    next = segment.isSyn() ? 1 : 0;
    probed = !segment.isSyn() && !segment.payload().hasRemaining();
    finish = NOWHERE;
    shown = Shown.NOTHING;
  }

  /** Returns the position in a stream of any length, from the nearest sequence number. */
  private long position(TcpSegment segment) {
    return position(segment.sequence() + (segment.isSyn() ? 1 : 0));
  }

  private long position(int number) {
    return next + (number - (initial + (int) next));
  }

  /** Remembers where a FIN ends the stream. One in front of bytes that have come, or far ahead, is old or forged. */
  private void finish(long position, long frame) {
    if (position >= next && isInWindow(position) && (finish == NOWHERE || position < finish)) {
      finish = position;
      finishFrame = frame;
    }
  }

  /** Tells whether a position is not farther ahead than any window: the number of such a segment is old. */
  private boolean isInWindow(long position) {
    return position - next <= LARGEST_WINDOW;
  }

  private Shown shownBy(long position, TcpSegment segment) {
    return isInWindow(position) ? new Shown(position, segment.frame()) : Shown.NOTHING;
  }

  /** Remembers what a segment shows by its number and length. */
  private void show(long position, TcpSegment segment) {
    if (segment.isReset()) {
      shownByReset = shownByReset.farther(shownBy(position, segment));
    } else {
      shown = shown.farther(shownBy(position, segment));
    }
  }

  /** The connection goes on, in either direction: what an ignored reset has shown was not sent. */
  void goOn() {
    shownByReset = Shown.NOTHING;
  }

  /**
   * Remembers what the other side acknowledges with its segment: the last one counts, as those before may be old. Where
   * this direction was joined it does not count, since an old segment may have come first.
   */
  void acknowledged(TcpSegment segment) {
    long position = begunBySyn && segment.acknowledges() ? position(segment.acknowledgment()) : 0;
    if (position != acknowledged.position()) {
      acknowledged = shownBy(position, segment);
    }
  }

  private Shown farthest() {
    return shown.farther(shownByReset).farther(acknowledged);
  }

  boolean hasBegun() {
    return started;
  }

  /**
   * Tells whether a reset may be the answer to what this direction began with: who waits for an answer to a SYN takes a
   * reset only if that acknowledges it (RFC 9293 §3.10.7.3).
   */
  boolean isAnsweredBy(TcpSegment reset) {
    if (!onlySyn) {
      return true;
    }
    long position = position(reset.acknowledgment());
    return reset.acknowledges() && position > 0 && position <= Math.max(next, shown.position());
  }

  /** Tells whether a reset is the next thing that the receiver expects; it ignores others (RFC 5961 §3.2). */
  boolean isResetBy(TcpSegment segment) {
    long ahead = started ? position(segment) - next : 0;
    return ahead == 0 || ahead == 1 && isFinished();
  }

  private void deliver(long start, long frame, ByteBuffer payload, Sink sink) {
    int known = (int) (next - start);
    if (known < payload.remaining()) {
      ByteBuffer fresh = payload.slice(known, payload.remaining() - known);
      next += fresh.remaining();
      sink.bytes(frame, fresh);
    }
  }

  private void keep(long start, long frame, ByteBuffer payload) {
    Waiting before = waiting.get(start);
    if (before == null || before.payload().remaining() < payload.remaining()) {
      // A copy, since a frame may be much longer than its payload.
      Waiting now = new Waiting(frame, ByteBuffer.allocate(payload.remaining()).put(payload.duplicate()).flip());
      waitingBytes += now.bytes() - (before == null ? 0 : before.bytes());
      waiting.put(start, now);
    }
  }

  /** Returns how much memory waits for missing bytes. */
  long waitingBytes() {
    return waitingBytes;
  }

  boolean isFinished() {
    return finish != NOWHERE && finish <= next && waiting.isEmpty();
  }

  /** Returns the frame with the FIN. */
  long finishFrame() {
    return finishFrame;
  }

  /**
   * Returns the frame behind what is missing, or 0 if nothing is. It may be that of a FIN, of a segment that was cut
   * short or has no bytes, or of an acknowledgment: one of these shows by its number what was sent before, and maybe a
   * FIN.
   */
  long gapFrame() {
    if (!waiting.isEmpty()) {
      return waiting.firstEntry().getValue().frame();
    }
    if (lost) {
      return 0;
    }
    if (finish != NOWHERE) {
      return finish > next ? finishFrame : 0;
    }
    return farthest().position() > next + 1 ? farthest().frame() : 0;
  }

  long gapBytes() {
    long behind = finish != NOWHERE ? finish : farthest().position();
    return (waiting.isEmpty() ? behind : waiting.firstKey()) - next;
  }

  /** Gives up on what is missing, and on all behind it. */
  void giveUp() {
    lost = true;
    waiting.clear();
    waitingBytes = 0;
  }
}
