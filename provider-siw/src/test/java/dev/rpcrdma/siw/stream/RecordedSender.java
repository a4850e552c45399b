// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.memory.ExposureTable;
import dev.rpcrdma.siw.memory.TagSource;
import dev.rpcrdma.siw.queue.InboundReads;
import dev.rpcrdma.siw.queue.OutboundReads;
import dev.rpcrdma.siw.queue.SendQueue;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import java.nio.ByteBuffer;
import java.util.List;

/** Makes our sending side send messages that someone else has sent, cut where they were cut. */
final class RecordedSender {

  private final HostProtectionDomain domain = new HostProtectionDomain();
  private final TagSource tags = new TagSource();
  private final SendQueue sends = new SendQueue(1);
  private final InboundReads reads = new InboundReads(1);
  private final ExposureTable exposures = new ExposureTable(tags);
  private final OutboundStream outbound =
      new OutboundStream(sends, reads, new OutboundReads(1), tags, 1, Rtr.WRITE, 1);
  private final FpduEncoder encoder;

  RecordedSender(boolean crc, boolean markers) {
    encoder = new FpduEncoder(crc, markers);
    outbound.open();
  }

  /**
   * Sends one message.
   *
   * @param segments its recorded ULPDUs
   * @return our FPDUs
   */
  byte[] send(List<ByteBuffer> segments) {
    ByteBuffer first = segments.get(0);
    boolean tagged = DdpHeader.isTagged(first, 0);
    int header = tagged ? DdpHeader.TAGGED_BYTES : DdpHeader.UNTAGGED_BYTES;
    int length = segments.stream().mapToInt(each -> each.limit() - header).sum();
    HostMemory memory = (HostMemory) domain.register(ByteBuffer.allocateDirect(length),
        LocalMemory.Backing.MEMORY).result();
    int at = 0;
    for (ByteBuffer each : segments) {
      memory.buffer().put(at, each, header, each.limit() - header);
      at += each.limit() - header;
    }
    post(first, memory, length);
    ByteBuffer out = ByteBuffer.allocate(segments.size() * Fpdu.MAX_BYTES);
    for (ByteBuffer each : segments) {
      if (!outbound.prepare(each.limit())) {
        throw new IllegalStateException("Fewer segments than were recorded");
      }
      encoder.copy(outbound, out);
    }
    sends.handedOver(sends.produced());
    while (sends.headDone()) {
      sends.removeHead();
    }
    byte[] sent = new byte[out.position()];
    out.get(0, sent);
    return sent;
  }

  private void post(ByteBuffer first, HostMemory memory, int length) {
    int opcode = DdpHeader.opcode(first, 0);
    int tag = DdpHeader.steeringTag(first, 0);
    switch (opcode) {
      case RdmapOpcode.READ_RESPONSE:
        reads.add(tag, DdpHeader.taggedOffset(first, 0), length == 0 ? null
            : exposures.expose(0, memory, 0, length, Access.REMOTE_READ), 0, length);
        break;
      case RdmapOpcode.WRITE:
        sends.post(0, Opcode.WRITE, memory, 0, length, tag, DdpHeader.taggedOffset(first, 0),
            false);
        break;
      case RdmapOpcode.SEND:
      case RdmapOpcode.SEND_INVALIDATE:
        sends.post(0, Opcode.SEND, memory, 0, length, tag, 0, opcode != RdmapOpcode.SEND);
        break;
      default:
        throw new IllegalArgumentException("Opcode " + opcode);
    }
    sends.ring();
  }
}
