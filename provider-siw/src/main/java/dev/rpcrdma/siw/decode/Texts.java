// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.decode;

import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.ReadRequestHeader;
import dev.rpcrdma.siw.wire.TerminateMessage;
import java.nio.ByteBuffer;

/** What people want to read of a frame or a segment, in one line. Judges nothing. */
final class Texts {

  private static final String[] OPCODES = {"RDMA Write", "RDMA Read Request",
      "RDMA Read Response", "Send", "Send with Invalidate", "Send with Solicited Event",
      "Send with Solicited Event and Invalidate", "Terminate"};

  private Texts() {}

  static String startup(MpaFrame frame) {
    StringBuilder text = new StringBuilder(frame.request() ? "MPA Request" : "MPA Reply");
    text.append(", revision ").append(frame.revision());
    text.append(frame.rejected() ? ", rejected" : "");
    text.append(frame.crc() ? ", CRC" : ", no CRC");
    text.append(frame.markers() ? ", markers" : "");
    frame.enhanced().ifPresent(block -> enhanced(text, block));
    if (frame.privateData().length > 0) {
      text.append(", ").append(frame.privateData().length).append(" bytes of private data");
    }
    return text.toString();
  }

  private static void enhanced(StringBuilder text, EnhancedBlock block) {
    text.append(", IRD ").append(block.ird()).append(", ORD ").append(block.ord());
    if (block.peerToPeer()) {
      text.append(", peer to peer by").append(block.rtrWrite() ? " Write" : "")
          .append(block.rtrRead() ? " Read" : "").append(block.rtrSend() ? " Send" : "");
    }
  }

  static String segment(ByteBuffer in, int at, int length) {
    boolean tagged = length > 0 && DdpHeader.isTagged(in, at);
    int header = tagged ? DdpHeader.TAGGED_BYTES : DdpHeader.UNTAGGED_BYTES;
    if (length < header) {
      return "DDP segment of " + length + " bytes";
    }
    StringBuilder text = new StringBuilder();
    int opcode = DdpHeader.opcode(in, at);
    text.append(opcode < OPCODES.length ? OPCODES[opcode] : "Opcode " + opcode);
    if (tagged) {
      text.append(", STag ").append(hex(DdpHeader.steeringTag(in, at))).append(", TO ")
          .append(hex(DdpHeader.taggedOffset(in, at)));
    } else {
      text.append(RdmapOpcode.invalidates(opcode)
          ? ", invalidates " + hex(DdpHeader.steeringTag(in, at)) : "");
      text.append(", QN ").append(Integer.toUnsignedString(DdpHeader.queueNumber(in, at)))
          .append(", MSN ")
          .append(Integer.toUnsignedString(DdpHeader.messageSequenceNumber(in, at)))
          .append(", MO ").append(Integer.toUnsignedString(DdpHeader.messageOffset(in, at)));
    }
    text.append(", ").append(length - header).append(" bytes")
        .append(DdpHeader.isLast(in, at) ? ", last" : "");
    body(text, in, at + header, opcode, length - header);
    return text.toString();
  }

  private static void body(StringBuilder text, ByteBuffer in, int at, int opcode, int length) {
    if (opcode == RdmapOpcode.READ_REQUEST && length >= ReadRequestHeader.BYTES) {
      text.append(", ").append(ReadRequestHeader.size(in, at)).append(" bytes of STag ")
          .append(hex(ReadRequestHeader.sourceTag(in, at))).append(", TO ")
          .append(hex(ReadRequestHeader.sourceOffset(in, at))).append(" to STag ")
          .append(hex(ReadRequestHeader.sinkTag(in, at))).append(", TO ")
          .append(hex(ReadRequestHeader.sinkOffset(in, at)));
    } else if (opcode == RdmapOpcode.TERMINATE && length >= TerminateMessage.CONTROL_BYTES) {
      text.append(": ").append(TerminateMessage.parse(in.getInt(at)));
    }
  }

  private static String hex(int value) {
    return String.format("0x%08x", value);
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }
}
