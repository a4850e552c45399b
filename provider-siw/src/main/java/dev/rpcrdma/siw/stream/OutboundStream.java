// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.memory.TagSource;
import dev.rpcrdma.siw.queue.InboundReads;
import dev.rpcrdma.siw.queue.OutboundReads;
import dev.rpcrdma.siw.queue.SendQueue;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.ReadRequestHeader;
import dev.rpcrdma.siw.wire.TerminateMessage;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import java.nio.ByteBuffer;

/**
 * Turns work requests, Read Responses, ready-to-receive messages and a Terminate into segments, one
 * at a time and only when asked.
 *
 * <p>For each segment: {@link #prepare}; then {@link #headerBytes}, {@link #putHeader} and the
 * payload accessors; then {@link #commit}. A prepared segment that is not committed is prepared
 * again. Responses and work requests take turns, message by message.
 */
public final class OutboundStream {

  private enum Source {
    /** Nothing is being sent. */
    NONE,
    /** The send queue's next work request. */
    WORK,
    /** The next Read Response. */
    RESPONSE,
    /** A ready-to-receive message. */
    RTR
  }

  private final SendQueue sends;
  private final InboundReads inboundReads;
  private final OutboundReads outboundReads;
  private final TagSource tags;
  private final int mostReads;
  private Rtr rtr;

  private Source source = Source.NONE;
  private boolean responseLast;
  private int sent;
  private long served;
  private int sendSequence;
  private int readSequence;
  private boolean open;
  private boolean rtrDue;
  private StreamFault terminate;
  private boolean terminated;

  // The prepared segment.
  private int opcode;
  private boolean last;
  private HostMemory payload;
  private int payloadIndex;
  private int payloadLength;

  OutboundStream(SendQueue sends, InboundReads inboundReads, OutboundReads outboundReads,
      TagSource tags, int mostReads, Rtr rtr, int firstSequence) {
    this.sends = sends;
    this.inboundReads = inboundReads;
    this.outboundReads = outboundReads;
    this.tags = tags;
    this.mostReads = mostReads;
    this.rtr = rtr;
    this.sendSequence = firstSequence;
    this.readSequence = firstSequence;
  }

  /** From now on segments may be sent. */
  void open() {
    open = true;
  }

  /** Sends a ready-to-receive message before the next message. */
  void sendRtr() {
    rtrDue = true;
  }

  /** Sends a Terminate next, and then nothing more (RFC 5040 §5.4). The first fault wins. */
  void terminate(StreamFault fault) {
    if (terminate == null) {
      terminate = fault;
    }
  }

  /**
   * Whether there is nothing to send now.
   *
   * @return true if {@link #prepare} would say false
   */
  public boolean isIdle() {
    if (terminate != null) {
      // RFC 5044 §7.1.2: a responder that has had no FPDU may not even send a Terminate.
      return terminated || !open;
    }
    return !open || source == Source.NONE && !rtrDue && !hasWork() && !inboundReads.hasWork();
  }

  /**
   * RFC 5040 §6.1: a Read beyond the ORD waits, with what is behind it. Who posts keeps to the ORD, but
   * knows nothing of a ready-to-receive Read.
   */
  private boolean hasWork() {
    return sends.hasWork()
        && (sends.opcode(sends.produced()) != Opcode.READ || outboundReads.size() < mostReads);
  }

  /**
   * Makes the next segment.
   *
   * @param maxUlpdu longest DDP segment, header included (RFC 5041 §5.1)
   * @return false if there is nothing to send
   */
  public boolean prepare(int maxUlpdu) {
    if (isIdle()) {
      return false;
    }
    payload = null;
    payloadLength = 0;
    last = true;
    if (terminate != null) {
      opcode = RdmapOpcode.TERMINATE;
      return true;
    }
    if (source == Source.NONE) {
      source = choose();
    }
    switch (source) {
      case RTR:
        opcode = rtr == Rtr.WRITE ? RdmapOpcode.WRITE
            : rtr == Rtr.READ ? RdmapOpcode.READ_REQUEST : RdmapOpcode.SEND;
        break;
      case RESPONSE:
        opcode = RdmapOpcode.READ_RESPONSE;
        if (inboundReads.exposure() != null) {
          slice(inboundReads.exposure().memory(), inboundReads.index(), inboundReads.length(),
              maxUlpdu - DdpHeader.TAGGED_BYTES);
        }
        break;
      default:
        prepareWork(maxUlpdu);
    }
    return true;
  }

  private Source choose() {
    if (rtrDue) {
      return Source.RTR;
    }
    boolean response = inboundReads.hasWork() && (!responseLast || !hasWork());
    return response ? Source.RESPONSE : Source.WORK;
  }

  private void prepareWork(int maxUlpdu) {
    long index = sends.produced();
    switch (sends.opcode(index)) {
      case READ:
        opcode = RdmapOpcode.READ_REQUEST;
        break;
      case WRITE:
        opcode = RdmapOpcode.WRITE;
        slice(sends.memory(index), sends.offset(index), sends.length(index),
            maxUlpdu - DdpHeader.TAGGED_BYTES);
        break;
      default:
        opcode = sends.invalidates(index) ? RdmapOpcode.SEND_INVALIDATE : RdmapOpcode.SEND;
        slice(sends.memory(index), sends.offset(index), sends.length(index),
            maxUlpdu - DdpHeader.UNTAGGED_BYTES);
    }
  }

  private void slice(HostMemory memory, int offset, int length, int room) {
    payload = memory;
    payloadIndex = offset + sent;
    payloadLength = Math.min(length - sent, room);
    last = sent + payloadLength == length;
  }

  /**
   * The size of the prepared segment without payload.
   *
   * @return bytes
   */
  public int headerBytes() {
    if (RdmapOpcode.isTagged(opcode)) {
      return DdpHeader.TAGGED_BYTES;
    }
    int more = 0;
    if (opcode == RdmapOpcode.READ_REQUEST) {
      more = ReadRequestHeader.BYTES;
    } else if (opcode == RdmapOpcode.TERMINATE) {
      int shown = terminate.headers().length;
      more = TerminateMessage.CONTROL_BYTES + (shown > 0 ? 2 + shown : 0);
    }
    return DdpHeader.UNTAGGED_BYTES + more;
  }

  /**
   * The payload's memory.
   *
   * @return the memory; meaningless if {@link #payloadLength} is 0
   */
  public HostMemory payload() {
    return payload;
  }

  /**
   * The payload's first byte.
   *
   * @return index in {@link #payload()}
   */
  public int payloadIndex() {
    return payloadIndex;
  }

  /**
   * The payload's size.
   *
   * @return bytes
   */
  public int payloadLength() {
    return payloadLength;
  }

  /**
   * Appends the header of the prepared segment.
   *
   * @param out where to, at its position
   */
  void putHeader(ByteBuffer out) {
    if (opcode == RdmapOpcode.TERMINATE) {
      DdpHeader.putUntagged(out, opcode, true, 0, DdpHeader.TERMINATE_QUEUE, 1, 0);
      TerminateMessage.put(out, terminate.code(), terminate.segmentLength(), terminate.headers());
    } else if (source == Source.RTR) {
      putRtr(out);
    } else if (source == Source.RESPONSE) {
      DdpHeader.putTagged(out, opcode, last, inboundReads.sinkTag(),
          inboundReads.sinkOffset() + sent);
    } else {
      putWork(out, sends.produced());
    }
  }

  private void putWork(ByteBuffer out, long index) {
    if (opcode == RdmapOpcode.WRITE) {
      DdpHeader.putTagged(out, opcode, last, sends.tag(index), sends.remoteOffset(index) + sent);
    } else if (opcode == RdmapOpcode.READ_REQUEST) {
      putReadRequest(out, index, sends.length(index), sends.tag(index), sends.remoteOffset(index));
    } else {
      int invalidate = sends.invalidates(index) ? sends.tag(index) : 0;
      DdpHeader.putUntagged(out, opcode, last, invalidate, DdpHeader.SEND_QUEUE, sendSequence,
          sent);
    }
  }

  private void putRtr(ByteBuffer out) {
    if (opcode == RdmapOpcode.WRITE) {
      DdpHeader.putTagged(out, opcode, true, 1, 0);
    } else if (opcode == RdmapOpcode.READ_REQUEST) {
      putReadRequest(out, -1, 0, 1, 0);
    } else {
      DdpHeader.putUntagged(out, opcode, true, 0, DdpHeader.SEND_QUEUE, sendSequence, 0);
    }
  }

  private void putReadRequest(ByteBuffer out, long index, int length, int tag, long offset) {
    int sinkTag = tags.next();
    outboundReads.add(sinkTag, 0, index);
    DdpHeader.putUntagged(out, opcode, true, 0, DdpHeader.READ_REQUEST_QUEUE, readSequence, 0);
    ReadRequestHeader.put(out, sinkTag, 0, length, tag, offset);
  }

  /** How much was sent in Read Responses. */
  long bytesServed() {
    return served;
  }

  /** The prepared segment has been encoded and will be sent. */
  void commit() {
    if (opcode == RdmapOpcode.TERMINATE) {
      terminated = true;
      return;
    }
    sent += payloadLength;
    if (source == Source.RESPONSE) {
      served += payloadLength;
    }
    if (!last) {
      return;
    }
    sent = 0;
    if (opcode == RdmapOpcode.SEND || opcode == RdmapOpcode.SEND_INVALIDATE) {
      sendSequence++;
    } else if (opcode == RdmapOpcode.READ_REQUEST) {
      readSequence++;
    }
    if (source == Source.RTR) {
      rtrDue = false;
      // Only the first one is what was agreed on; a later one must take neither Receive nor IRD.
      rtr = Rtr.WRITE;
    } else if (source == Source.RESPONSE) {
      inboundReads.advanceProduced();
      responseLast = true;
    } else {
      sends.advanceProduced();
      responseLast = false;
    }
    source = Source.NONE;
  }

  /**
   * Whether the prepared segment belongs to a work request.
   *
   * @return false for Read Responses and messages of the stream itself
   */
  boolean isWork() {
    return source == Source.WORK && opcode != RdmapOpcode.TERMINATE;
  }
}
