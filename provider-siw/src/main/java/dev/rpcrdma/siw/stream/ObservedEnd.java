// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.memory.ExposureTable;
import dev.rpcrdma.siw.memory.ObservedMemory;
import dev.rpcrdma.siw.memory.TagSource;
import dev.rpcrdma.siw.queue.InboundReads;
import dev.rpcrdma.siw.queue.OutboundReads;
import dev.rpcrdma.siw.queue.ReceiveQueue;
import dev.rpcrdma.siw.queue.SendQueue;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.ReadRequestHeader;
import dev.rpcrdma.siw.wire.TerminateCode;
import dev.rpcrdma.siw.wire.TerminateMessage;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * One end of a stream between two others: judges what it receives as an end of ours would.
 *
 * <p>What an observer cannot know, it takes for granted: that a Receive is posted and long enough,
 * that a tag is live and its range wide enough. All else is checked by {@link InboundStream}:
 * framing, versions, opcodes, queues, sequence numbers, offsets of messages, that Read Responses
 * answer the Read Requests which the other end has seen, and the IRD.
 */
public final class ObservedEnd {

  /** Is told what an end receives. */
  public interface Listener {

    /**
     * A segment whose FPDU is good, before anything in it is judged.
     *
     * @param in holds it
     * @param at index of its first byte
     * @param length its bytes
     */
    void segment(ByteBuffer in, int at, int length);

    /**
     * A Send is complete.
     *
     * @param message its payload, or the beginning of a very long one
     */
    void message(byte[] message);

    /**
     * A segment of a Write has put data into memory of this end.
     *
     * @param tag of the memory
     * @param offset where in it
     * @param data valid only during this call
     */
    void written(int tag, long offset, ByteBuffer data);

    /**
     * A segment of a Response has brought data that this end has read.
     *
     * @param tag of the memory of the other end, as the Read Request names it
     * @param offset where in it
     * @param data valid only during this call
     */
    void read(int tag, long offset, ByteBuffer data);
  }

  /** A Read Request that has not been answered to its end. */
  private record Asked(long sinkOffset, int sourceTag, long sourceOffset) {}

  /** Of a Send's payload so much is kept. */
  private static final int KEPT_BYTES = 1 << 20;

  /** More outstanding Reads are not believed; some do not tell how many they take. */
  private static final int MOST_READS = 1024;

  /** Enough for the longest FPDU with its markers. */
  private static final int STAGING_BYTES = Fpdu.MAX_BYTES + Fpdu.MAX_BYTES / 64;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Listener listener;
  private final FpduDecoder decoder;
  private final InboundStream inbound;
  private final SendQueue sends;
  private final ReceiveQueue receives = new ReceiveQueue(1);
  private final InboundReads inboundReads;
  private final OutboundReads outboundReads;
  private final ExposureTable exposures = new ExposureTable(new TagSource());
  private final ArrayDeque<Asked> asked = new ArrayDeque<>();
  private final ObservedMemory message = new ObservedMemory(KEPT_BYTES);
  private final ObservedMemory elsewhere = new ObservedMemory(0);
  /** What is not complete yet; nothing as long as there is no such thing, as at most ends. */
  private ByteBuffer staging = NOTHING;
  private ObservedEnd peer;
  private int from;
  private int to;
  private long responses;
  private boolean terminated;

  /**
   * Creates an end.
   *
   * @param initiator whether it is the initiator's
   * @param agreement what that side has settled
   * @param peersReads the IRD of the other side
   * @param listener told what this end receives
   */
  public ObservedEnd(boolean initiator, MpaAgreement agreement, int peersReads,
      Listener listener) {
    this.listener = listener;
    this.decoder = new FpduDecoder(agreement.crc(), agreement.markersReceived());
    this.sends = new SendQueue(reads(peersReads));
    this.outboundReads = new OutboundReads(reads(peersReads));
    this.inboundReads = new InboundReads(reads(agreement.inboundReads()));
    this.inbound = new InboundStream(receives, sends, outboundReads, inboundReads, exposures,
        new Events(), !initiator && agreement.rtr() == Rtr.SEND, 1);
  }

  /** At least one, for a ready-to-receive Read. */
  private static int reads(int agreed) {
    return Math.min(MOST_READS, Math.max(1, agreed));
  }

  /**
   * Joins both ends.
   *
   * @param other the end that sends what this one receives
   */
  public void join(ObservedEnd other) {
    peer = other;
    other.peer = this;
  }

  /**
   * Takes bytes as they arrived.
   *
   * @param in from its position to its limit, all of which is taken
   * @throws StreamFault if the sender made an error; nothing more may be given
   */
  public void receive(ByteBuffer in) {
    while (in.hasRemaining()) {
      if (terminated) {
        throw new StreamFault(TerminateCode.STREAM_CATASTROPHIC, "Bytes behind a Terminate");
      }
      makeRoom(in.remaining());
      int count = Math.min(in.remaining(), staging.capacity() - to);
      staging.put(to, in, in.position(), count);
      in.position(in.position() + count);
      to += count;
      complete();
      if (from == to) {
        staging = NOTHING;
        from = 0;
        to = 0;
      }
    }
  }

  /** Moves what is there to the front, of a buffer that holds as much again as there is, or as comes now. */
  private void makeRoom(int coming) {
    int kept = to - from;
    int wanted = Math.min(STAGING_BYTES, kept + Math.max(kept, coming));
    if (staging.capacity() - to < Math.min(coming, wanted - kept)) {
      ByteBuffer next = wanted > staging.capacity() ? ByteBuffer.allocate(wanted) : staging;
      next.put(0, staging, from, kept);
      staging = next;
      from = 0;
      to = kept;
    }
  }

  /**
   * Tells whether the bytes so far end within an FPDU.
   *
   * @return false between FPDUs
   */
  public boolean isMidFpdu() {
    return from < to;
  }

  /**
   * Tells whether this end was told by a Terminate that the stream is over.
   *
   * @return true from the Terminate on
   */
  public boolean isTerminated() {
    return terminated;
  }

  /** How much memory waits for the rest of an FPDU. */
  int stagingBytes() {
    return staging.capacity();
  }

  private void complete() {
    int bytes = decoder.complete(staging, from, to);
    while (bytes >= 0 && !terminated) {
      int ulpdu = decoder.open(staging, from, bytes);
      listener.segment(staging, ulpdu, decoder.ulpduLength());
      prepare(ulpdu, decoder.ulpduLength());
      Asked answered = asked.peek();
      inbound.segment(staging, ulpdu, decoder.ulpduLength());
      follow(ulpdu);
      tellData(answered, ulpdu, decoder.ulpduLength() - DdpHeader.TAGGED_BYTES);
      from += bytes;
      bytes = decoder.complete(staging, from, to);
    }
    if (terminated && from < to) {
      throw new StreamFault(TerminateCode.STREAM_CATASTROPHIC, "Bytes behind a Terminate");
    }
  }

  /** Provides what the segment needs, as its receiver will have done. */
  private void prepare(int at, int length) {
    if (receives.isEmpty()) {
      receives.post(0, message, 0, Integer.MAX_VALUE);
    }
    if (length < DdpHeader.TAGGED_BYTES) {
      return;
    }
    int opcode = DdpHeader.opcode(staging, at);
    int request = at + DdpHeader.UNTAGGED_BYTES;
    if (opcode == RdmapOpcode.WRITE) {
      exposures.adopt(elsewhere, Access.REMOTE_WRITE, DdpHeader.steeringTag(staging, at),
          DdpHeader.taggedOffset(staging, at));
    } else if (RdmapOpcode.invalidates(opcode)) {
      exposures.adopt(elsewhere, Access.REMOTE_WRITE, DdpHeader.steeringTag(staging, at), 0);
    } else if (opcode == RdmapOpcode.READ_REQUEST
        && length >= DdpHeader.UNTAGGED_BYTES + ReadRequestHeader.BYTES) {
      exposures.adopt(elsewhere, Access.REMOTE_READ,
          ReadRequestHeader.sourceTag(staging, request),
          ReadRequestHeader.sourceOffset(staging, request));
    }
  }

  /** A Read Request that was good lets the other end expect its Response. */
  private void follow(int at) {
    if (DdpHeader.opcode(staging, at) == RdmapOpcode.READ_REQUEST) {
      int request = at + DdpHeader.UNTAGGED_BYTES;
      Asked read = new Asked(ReadRequestHeader.sinkOffset(staging, request),
          ReadRequestHeader.sourceTag(staging, request), ReadRequestHeader.sourceOffset(staging, request));
      peer.expect(read, ReadRequestHeader.sinkTag(staging, request), (int) ReadRequestHeader.size(staging, request));
    }
  }

  /** The segment was good: what it has brought is where it says. */
  private void tellData(Asked answered, int at, int length) {
    if (length <= 0 || !DdpHeader.isTagged(staging, at)) {
      return;
    }
    ByteBuffer data = staging.slice(at + DdpHeader.TAGGED_BYTES, length);
    long offset = DdpHeader.taggedOffset(staging, at);
    if (DdpHeader.opcode(staging, at) == RdmapOpcode.WRITE) {
      listener.written(DdpHeader.steeringTag(staging, at), offset, data);
    } else if (answered != null) {
      listener.read(answered.sourceTag, answered.sourceOffset + offset - answered.sinkOffset, data);
    }
  }

  private void expect(Asked read, int sinkTag, int size) {
    asked.add(read);
    sends.post(0, Opcode.READ, elsewhere, 0, size, 0, 0, false);
    sends.ring();
    outboundReads.add(sinkTag, read.sinkOffset, sends.produced());
    sends.advanceProduced();
  }

  /** The Response to the oldest Read Request that this end received has gone by. */
  private void responded() {
    if (inboundReads.headBelow(++responses)) {
      inboundReads.removeHead();
    }
  }

  /** What this end's state machine tells. */
  private final class Events implements StreamEvents {

    @Override
    public void received(long id, int length, boolean invalidated, int tag) {
      listener.message(message.take());
    }

    @Override
    public void readCompleted() {
      sends.removeHead();
      asked.remove();
      peer.responded();
    }

    @Override
    public void terminated(TerminateMessage message) {
      terminated = true;
    }
  }
}
