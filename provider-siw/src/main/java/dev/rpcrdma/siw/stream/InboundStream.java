// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.memory.ExposureTable;
import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.queue.InboundReads;
import dev.rpcrdma.siw.queue.OutboundReads;
import dev.rpcrdma.siw.queue.ReceiveQueue;
import dev.rpcrdma.siw.queue.SendQueue;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.ReadRequestHeader;
import dev.rpcrdma.siw.wire.TerminateCode;
import dev.rpcrdma.siw.wire.TerminateMessage;
import dev.rpcrdma.verbs.Access;
import java.nio.ByteBuffer;

/**
 * DDP placement and RDMAP delivery of what arrives. Each segment passes all checks of RFC 5041 §7.1
 * and RFC 5040 §7 before a byte of it is placed.
 */
final class InboundStream {

  private final ReceiveQueue receives;
  private final SendQueue sends;
  private final OutboundReads outboundReads;
  private final InboundReads inboundReads;
  private final ExposureTable exposures;
  private final StreamEvents events;

  // RFC 5041 §5.2: sequence numbers count per queue, from 1, modulo 2^32.
  private int sendSequence;
  private int readSequence;
  /** A Send has begun, be it with an empty segment. */
  private boolean messageBegun;
  private int messageLength;
  private int messageOpcode;
  private int messageInvalidate;
  /** A Write has begun, with a segment of this tag. */
  private boolean writeBegun;
  private int writeTag;
  private boolean rtrSendExpected;
  private boolean midMessage;

  InboundStream(ReceiveQueue receives, SendQueue sends, OutboundReads outboundReads,
      InboundReads inboundReads, ExposureTable exposures, StreamEvents events,
      boolean rtrSendExpected, int firstSequence) {
    this.receives = receives;
    this.sends = sends;
    this.outboundReads = outboundReads;
    this.inboundReads = inboundReads;
    this.exposures = exposures;
    this.events = events;
    this.rtrSendExpected = rtrSendExpected;
    this.sendSequence = firstSequence;
    this.readSequence = firstSequence;
  }

  /** Whether the last segment has left a message incomplete: the peer is about to send the rest. */
  boolean isMidMessage() {
    return midMessage;
  }

  /**
   * Handles one ULPDU.
   *
   * @throws StreamFault with the headers that the peer is to be shown
   */
  void segment(ByteBuffer in, int at, int length) {
    try {
      dispatch(in, at, length);
      midMessage = !DdpHeader.isLast(in, at);
    } catch (StreamFault fault) {
      throw withHeaders(fault, in, at, length);
    }
  }

  private void dispatch(ByteBuffer in, int at, int length) {
    // RFC 5041 §4: the shortest segment is a header. A shorter one is not read beyond its end.
    boolean tagged = length > 0 && DdpHeader.isTagged(in, at);
    int header = tagged ? DdpHeader.TAGGED_BYTES : DdpHeader.UNTAGGED_BYTES;
    if (length < header) {
      throw new StreamFault(TerminateCode.DDP_CATASTROPHIC,
          "A DDP segment of " + length + " bytes is shorter than its header");
    }
    if (DdpHeader.ddpVersion(in, at) != DdpHeader.DDP_VERSION) {
      throw new StreamFault(tagged ? TerminateCode.TAGGED_VERSION : TerminateCode.UNTAGGED_VERSION,
          "DDP version " + DdpHeader.ddpVersion(in, at));
    }
    if (!tagged && Integer.compareUnsigned(DdpHeader.queueNumber(in, at),
        DdpHeader.TERMINATE_QUEUE) > 0) {
      throw new StreamFault(TerminateCode.INVALID_QUEUE,
          "Queue " + Integer.toUnsignedString(DdpHeader.queueNumber(in, at)));
    }
    if (DdpHeader.rdmapVersion(in, at) != DdpHeader.RDMAP_VERSION) {
      throw new StreamFault(TerminateCode.RDMAP_VERSION,
          "RDMAP version " + (DdpHeader.rdmapVersion(in, at) >> 6));
    }
    int opcode = DdpHeader.opcode(in, at);
    if (opcode > RdmapOpcode.TERMINATE || RdmapOpcode.isTagged(opcode) != tagged) {
      throw new StreamFault(TerminateCode.UNEXPECTED_OPCODE, "Opcode " + opcode
          + (tagged ? " in a tagged segment" : " in an untagged segment"));
    }
    if (!tagged && DdpHeader.queueNumber(in, at) != RdmapOpcode.queue(opcode)) {
      throw new StreamFault(TerminateCode.INVALID_QUEUE,
          "Opcode " + opcode + " on queue " + DdpHeader.queueNumber(in, at));
    }
    int payload = length - header;
    switch (opcode) {
      case RdmapOpcode.WRITE:
        write(in, at, payload);
        break;
      case RdmapOpcode.READ_RESPONSE:
        readResponse(in, at, payload);
        break;
      case RdmapOpcode.READ_REQUEST:
        readRequest(in, at, payload);
        break;
      case RdmapOpcode.TERMINATE:
        terminate(in, at, payload);
        break;
      default:
        send(in, at, payload, opcode);
    }
    rtrSendExpected = false;
  }

  private void write(ByteBuffer in, int at, int payload) {
    boolean last = DdpHeader.isLast(in, at);
    if (payload == 0) {
      // RFC 5041 §5.2: tag and offset of a zero-length tagged message are not checked.
      writeBegun &= !last;
      return;
    }
    long offset = DdpHeader.taggedOffset(in, at);
    int tag = DdpHeader.steeringTag(in, at);
    // RFC 5041 §5.2: one tag and one initial offset are given with a message. That the offsets go on from
    // each other is not asked for: their order is a SHOULD (§5.3), and a sink need not verify that a
    // message is whole.
    if (writeBegun && tag != writeTag) {
      throw new StreamFault(TerminateCode.INVALID_TAG,
          "Segments of one Write differ in their steering tag");
    }
    SiwExposure exposure = exposures.lookup(tag);
    switch (ExposureTable.check(exposure, Access.REMOTE_WRITE, offset, payload)) {
      case GRANTED:
        break;
      case INVALID_TAG:
        throw new StreamFault(TerminateCode.INVALID_TAG, "A Write to an unknown steering tag");
      case RIGHTS:
        throw new StreamFault(TerminateCode.ACCESS_RIGHTS, "A Write to memory exposed for Reads");
      case WRAP:
        throw new StreamFault(TerminateCode.OFFSET_WRAP, "A Write whose offset wraps");
      default:
        throw new StreamFault(TerminateCode.BOUNDS, "A Write outside the exposed range");
    }
    exposure.memory().place(exposure.index(offset), in, at + DdpHeader.TAGGED_BYTES, payload);
    writeBegun = !last;
    writeTag = tag;
  }

  private void readResponse(ByteBuffer in, int at, int payload) {
    // Only the Response that is due may be placed, and only as much of it as was asked for.
    if (outboundReads.isEmpty()) {
      throw new StreamFault(TerminateCode.INVALID_TAG, "A Read Response that no Read asked for");
    }
    long index = outboundReads.index();
    int placed = outboundReads.placed();
    int wanted = index < 0 ? 0 : sends.length(index);
    if (payload > 0) {
      if (DdpHeader.steeringTag(in, at) != outboundReads.sinkTag()) {
        throw new StreamFault(TerminateCode.INVALID_TAG,
            "A Read Response with another tag than that of the oldest Read");
      }
      if (DdpHeader.taggedOffset(in, at) != outboundReads.nextOffset()
          || payload > wanted - placed) {
        throw new StreamFault(TerminateCode.BOUNDS, "A Read Response of " + payload
            + " bytes where " + (wanted - placed) + " were due");
      }
    }
    boolean last = DdpHeader.isLast(in, at);
    if (last && placed + payload != wanted) {
      throw new StreamFault(TerminateCode.BOUNDS, "A Read Response of " + (placed + payload)
          + " bytes to a Read of " + wanted);
    }
    if (payload > 0) {
      sends.memory(index).place(sends.offset(index) + placed, in, at + DdpHeader.TAGGED_BYTES,
          payload);
      outboundReads.place(payload);
    }
    if (last) {
      outboundReads.removeHead();
      if (index >= 0) {
        sends.readDone(index);
        events.readCompleted();
      }
    }
  }

  private void readRequest(ByteBuffer in, int at, int payload) {
    checkSequence(in, at, readSequence);
    checkWhole(in, at, payload, ReadRequestHeader.BYTES);
    // RFC 5040 §6.1: more requests than the IRD end the stream. A DDP queue without a buffer.
    if (inboundReads.isFull()) {
      throw new StreamFault(TerminateCode.NO_BUFFER, "More Read Requests than the IRD allows");
    }
    int request = at + DdpHeader.UNTAGGED_BYTES;
    long size = ReadRequestHeader.size(in, request);
    long offset = ReadRequestHeader.sourceOffset(in, request);
    SiwExposure exposure = null;
    if (size > 0) {
      // RFC 5040 §5.2.1: a zero-length Read is answered without looking at its source.
      exposure = exposures.lookup(ReadRequestHeader.sourceTag(in, request));
      checkRead(ExposureTable.check(exposure, Access.REMOTE_READ, offset, size));
    }
    readSequence++;
    inboundReads.add(ReadRequestHeader.sinkTag(in, request),
        ReadRequestHeader.sinkOffset(in, request), exposure,
        exposure == null ? 0 : exposure.index(offset), (int) size);
  }

  private static void checkRead(ExposureTable.Verdict verdict) {
    switch (verdict) {
      case GRANTED:
        return;
      case INVALID_TAG:
        throw new StreamFault(TerminateCode.READ_INVALID_TAG, "A Read of an unknown steering tag");
      case RIGHTS:
        throw new StreamFault(TerminateCode.ACCESS_RIGHTS, "A Read of memory exposed for Writes");
      case WRAP:
        throw new StreamFault(TerminateCode.READ_OFFSET_WRAP, "A Read whose offset wraps");
      default:
        throw new StreamFault(TerminateCode.READ_BOUNDS, "A Read outside the exposed range");
    }
  }

  private void terminate(ByteBuffer in, int at, int payload) {
    checkSequence(in, at, 1);
    // RFC 5040 §5.4: one message, which fits into any segment.
    if (DdpHeader.messageOffset(in, at) != 0 || payload < TerminateMessage.CONTROL_BYTES
        || !DdpHeader.isLast(in, at)) {
      throw new StreamFault(TerminateCode.INVALID_OFFSET,
          "A Terminate that is not one segment of " + TerminateMessage.CONTROL_BYTES + " bytes or more");
    }
    events.terminated(TerminateMessage.parse(in, at + DdpHeader.UNTAGGED_BYTES, payload));
  }

  private void send(ByteBuffer in, int at, int payload, int opcode) {
    checkSequence(in, at, sendSequence);
    boolean last = DdpHeader.isLast(in, at);
    int invalidate = DdpHeader.steeringTag(in, at);
    if (DdpHeader.messageOffset(in, at) != messageLength) {
      throw new StreamFault(TerminateCode.INVALID_OFFSET, "Message offset "
          + Integer.toUnsignedString(DdpHeader.messageOffset(in, at)) + " where " + messageLength
          + " is due");
    }
    if (rtrSendExpected && last && payload == 0 && opcode == RdmapOpcode.SEND) {
      sendSequence++;
      return;
    }
    if (messageBegun && (opcode != messageOpcode || invalidate != messageInvalidate)) {
      throw new StreamFault(TerminateCode.UNEXPECTED_OPCODE,
          "Segments of one message differ in their opcode or steering tag");
    }
    if (receives.isEmpty()) {
      throw new StreamFault(TerminateCode.NO_BUFFER, "A Send without a posted Receive");
    }
    if (payload > receives.headLength() - messageLength) {
      throw new StreamFault(TerminateCode.MESSAGE_TOO_LONG, "A Send of more than the "
          + receives.headLength() + " bytes of its Receive");
    }
    boolean invalidates = RdmapOpcode.invalidates(opcode);
    if (last && invalidates && !exposures.invalidate(invalidate)) {
      throw new StreamFault(TerminateCode.CANNOT_INVALIDATE,
          "A Send With Invalidate of a steering tag that is not live");
    }
    receives.headMemory().place(receives.headOffset() + messageLength, in,
        at + DdpHeader.UNTAGGED_BYTES, payload);
    messageBegun = !last;
    messageLength += payload;
    messageOpcode = opcode;
    messageInvalidate = invalidate;
    if (last) {
      long id = receives.headId();
      int length = messageLength;
      receives.removeHead();
      sendSequence++;
      messageLength = 0;
      events.received(id, length, invalidates, invalidate);
    }
  }

  private static void checkSequence(ByteBuffer in, int at, int expected) {
    int sequence = DdpHeader.messageSequenceNumber(in, at);
    if (sequence != expected) {
      throw new StreamFault(TerminateCode.SEQUENCE_RANGE, "Message sequence number "
          + Integer.toUnsignedString(sequence) + " where " + Integer.toUnsignedString(expected)
          + " is due");
    }
  }

  /** Messages of queue 1 are one segment of one size. */
  private static void checkWhole(ByteBuffer in, int at, int payload, int size) {
    if (DdpHeader.messageOffset(in, at) != 0 || payload < size || !DdpHeader.isLast(in, at)) {
      throw new StreamFault(TerminateCode.INVALID_OFFSET,
          "A Read Request that is not one segment of " + size + " bytes");
    }
    if (payload > size) {
      throw new StreamFault(TerminateCode.MESSAGE_TOO_LONG,
          "A Read Request of " + payload + " bytes");
    }
  }

  /** RFC 5040 §4.8, figure 10: which of the offending headers the peer is shown. */
  private static StreamFault withHeaders(StreamFault fault, ByteBuffer in, int at, int length) {
    TerminateCode code = fault.code();
    int size = length > 0 && DdpHeader.isTagged(in, at)
        ? DdpHeader.TAGGED_BYTES : DdpHeader.UNTAGGED_BYTES;
    if (length < size) {
      return fault;
    }
    boolean readRequest = code.layer() == 0 && code.type() == 1
        && DdpHeader.opcode(in, at) == RdmapOpcode.READ_REQUEST;
    if (readRequest) {
      size += ReadRequestHeader.BYTES;
    }
    byte[] headers = new byte[size];
    in.get(at, headers);
    return new StreamFault(code, fault.getMessage(), length, headers);
  }
}
