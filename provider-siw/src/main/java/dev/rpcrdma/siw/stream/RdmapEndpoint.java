// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.memory.ExposureTable;
import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.memory.TagSource;
import dev.rpcrdma.siw.queue.InboundReads;
import dev.rpcrdma.siw.queue.OutboundReads;
import dev.rpcrdma.siw.queue.ReceiveQueue;
import dev.rpcrdma.siw.queue.SendQueue;
import dev.rpcrdma.siw.wire.TerminateCode;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import dev.rpcrdma.verbs.support.Completion;
import dev.rpcrdma.verbs.support.CompletionSource;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * One end of an iWARP stream after startup: queues, exposures and both directions, without a
 * socket.
 *
 * <p>In: {@link #receive} with bytes, {@link #handedOver} when bytes have left, and the queues for
 * posts. Out: {@link #outbound} when there is room to send, {@link StreamEvents} while receiving,
 * {@link #nextDone} for the send queue. After {@link #fail} nothing more is delivered (RFC 5044
 * §8), and one Terminate is all that is still sent.
 */
public final class RdmapEndpoint implements CompletionSource {

  /** Most Reads of either direction that can be outstanding: as many as Linux siw takes. */
  public static final int MAX_READS = 128;

  private final SendQueue sends;
  private final ReceiveQueue receives;
  private final InboundReads inboundReads;
  private final OutboundReads outboundReads;
  private final ExposureTable exposures;
  private final Consumer<SiwExposure> revocations;
  private final InboundStream inbound;
  private final OutboundStream outbound;
  private final FpduDecoder decoder;
  private final FpduEncoder encoder;
  private boolean stopped;

  /**
   * Creates an endpoint.
   *
   * @param initiator whether this side may send first (RFC 5044 §7.1.2)
   * @param agreement what startup settled
   * @param sendDepth capacity of the send queue
   * @param receiveDepth capacity of the receive queue
   * @param events told what arrives
   * @param revocations told of each revocation that a Read Response had held up
   */
  public RdmapEndpoint(boolean initiator, MpaAgreement agreement, int sendDepth, int receiveDepth,
      StreamEvents events, Consumer<SiwExposure> revocations) {
    this(initiator, agreement, sendDepth, receiveDepth, events, revocations, 1);
  }

  /** As above, with another first sequence number, to test that they wrap. */
  RdmapEndpoint(boolean initiator, MpaAgreement agreement, int sendDepth, int receiveDepth,
      StreamEvents events, Consumer<SiwExposure> revocations, int firstSequence) {
    TagSource tags = new TagSource();
    this.sends = new SendQueue(sendDepth);
    this.receives = new ReceiveQueue(receiveDepth);
    // At least one, for a ready-to-receive Read.
    int mostReads = Math.max(1, agreement.outboundReads());
    this.inboundReads = new InboundReads(Math.max(1, agreement.inboundReads()));
    this.outboundReads = new OutboundReads(mostReads);
    this.exposures = new ExposureTable(tags);
    this.revocations = revocations;
    boolean rtrSend = !initiator && agreement.rtr() == Rtr.SEND;
    this.inbound = new InboundStream(receives, sends, outboundReads, inboundReads, exposures,
        events, rtrSend, firstSequence);
    this.outbound = new OutboundStream(sends, inboundReads, outboundReads, tags, mostReads,
        agreement.rtr(), firstSequence);
    this.decoder = new FpduDecoder(agreement.crc(), agreement.markersReceived());
    this.encoder = new FpduEncoder(agreement.crc(), agreement.markersSent());
    if (initiator) {
      // Whatever the peer is, it may send once it has had one FPDU: give it one that does nothing.
      outbound.open();
      outbound.sendRtr();
    }
  }

  /**
   * Handles the complete FPDUs in a range.
   *
   * @param in bytes as they arrived; its position and limit are not kept, nor, with markers, its
   *     bytes
   * @param from index of the first unhandled byte
   * @param to index behind the last byte
   * @return index of the first byte of an FPDU that is not complete, or of nothing
   * @throws StreamFault if the peer made an error; pass it to {@link #fail}
   */
  public int receive(ByteBuffer in, int from, int to) {
    int at = from;
    while (!stopped) {
      int bytes = decoder.complete(in, at, to);
      if (bytes < 0) {
        return at;
      }
      // RFC 5044 §7.1.2: the responder may send once it has the first FPDU. If that one is bad, a
      // Terminate is all that will be sent.
      outbound.open();
      int ulpdu = decoder.open(in, at, bytes);
      try {
        inbound.segment(in, ulpdu, decoder.ulpduLength());
      } catch (InternalError e) {
        throw truncated("placed into");
      }
      at += bytes;
    }
    return to;
  }

  /**
   * Whether more is on its way for sure: the rest of a message of which some FPDUs have come, or what was
   * asked for by an RDMA Read.
   *
   * @return true if so, unless nothing more is delivered
   */
  public boolean expectsMore() {
    return !stopped && (inbound.isMidMessage() || !outboundReads.isEmpty());
  }

  /**
   * Frames the prepared segment with a copy of its payload.
   *
   * @param out where to, at its position
   * @throws StreamFault if the payload's file was truncated; the work request has failed
   */
  public void encodeCopy(ByteBuffer out) {
    int start = out.position();
    try {
      encoder.copy(outbound, out);
    } catch (InternalError e) {
      out.position(start);
      if (outbound.isWork()) {
        sends.failProduced();
      }
      throw truncated("sent from");
    }
  }

  private static StreamFault truncated(String direction) {
    return new StreamFault(TerminateCode.LOCAL_CATASTROPHIC,
        "A mapped file was truncated while it was " + direction);
  }

  /**
   * The encoder, for payloads that are not copied.
   *
   * @return the encoder
   */
  public FpduEncoder encoder() {
    return encoder;
  }

  /**
   * What is to be sent.
   *
   * @return the outbound direction
   */
  public OutboundStream outbound() {
    return outbound;
  }

  /** Sends one more FPDU that has no effect, to wake a peer that overlooked the first ones. */
  public void nudge() {
    outbound.sendRtr();
  }

  /**
   * The send queue, for posts.
   *
   * @return the queue
   */
  public SendQueue sendQueue() {
    return sends;
  }

  /**
   * The receive queue, for posts.
   *
   * @return the queue
   */
  public ReceiveQueue receiveQueue() {
    return receives;
  }

  /**
   * The exposures.
   *
   * @return the table
   */
  public ExposureTable exposures() {
    return exposures;
  }

  /**
   * How much Reads have brought.
   *
   * @return bytes since the beginning
   */
  public long bytesRead() {
    return outboundReads.placedInAll();
  }

  /**
   * How much was sent in Read Responses.
   *
   * @return bytes since the beginning
   */
  public long bytesServed() {
    return outbound.bytesServed();
  }

  /**
   * How many Read Responses have been produced since the beginning.
   *
   * @return an index, for {@link #handedOver}
   */
  public long responsesProduced() {
    return inboundReads.produced();
  }

  /**
   * The kernel has the bytes of what was produced up to these indices.
   *
   * @param work {@link SendQueue#produced}
   * @param responses {@link #responsesProduced}
   */
  public void handedOver(long work, long responses) {
    sends.handedOver(work);
    responsesHandedOver(responses);
  }

  /**
   * The kernel has the bytes of the Read Responses up to this index, and perhaps of more.
   *
   * @param responses {@link #responsesProduced}
   */
  public void responsesHandedOver(long responses) {
    while (inboundReads.headBelow(responses)) {
      releaseRead();
    }
  }

  private void releaseRead() {
    SiwExposure exposure = inboundReads.removeHead();
    if (exposure != null) {
      exposures.release(exposure, revocations);
    }
  }

  /**
   * Delivers nothing more, and has the peer told why.
   *
   * @param fault the reason
   */
  public void fail(StreamFault fault) {
    stop();
    outbound.terminate(fault);
  }

  /** Delivers nothing more. */
  public void stop() {
    stopped = true;
  }

  @Override
  public boolean nextDone(Completion into) {
    if (!sends.headDone()) {
      return false;
    }
    into.of(sends.id(sends.head()), sends.opcode(sends.head()), Status.SUCCESS);
    sends.removeHead();
    return true;
  }

  @Override
  public boolean nextFlushed(Completion into) {
    if (nextDone(into)) {
      return true;
    }
    if (!sends.isEmpty()) {
      into.of(sends.id(sends.head()), sends.opcode(sends.head()),
          sends.headFailed() ? Status.ERROR : Status.FLUSHED);
      sends.removeHead();
      return true;
    }
    if (!receives.isEmpty()) {
      into.of(receives.headId(), Opcode.RECEIVE, Status.FLUSHED);
      receives.removeHead();
      return true;
    }
    return false;
  }

  /**
   * Whether a work request is posted and not completed.
   *
   * @return true if {@link #nextFlushed} would find one
   */
  public boolean hasPosted() {
    return !sends.isEmpty() || !receives.isEmpty();
  }

  /**
   * How much both queues take.
   *
   * @return the sum of their depths
   */
  public int capacity() {
    return sends.capacity() + receives.capacity();
  }

  /** Ends all exposures, once nothing is sent any more. */
  public void endExposures() {
    exposures.endAll(revocations);
  }
}
