// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.fault.FaultException;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The heads of all messages of two recorded NFS mounts between Linux kernels, versions 3 and 4.1,
 * calls in the reverse direction included. A line of the resource has the capture, the direction,
 * the message's length and its first 320 bytes.
 */
@DisplayName("Recorded RPC-over-RDMA messages")
public final class RecordedHeadersTest {

  private int readChunks;
  private int writeChunks;
  private int replyChunks;
  private int noInline;
  private int calls;
  private int replies;

  private static List<String> lines() throws IOException {
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(
        RecordedHeadersTest.class.getResourceAsStream("/captures/nfs-messages.txt"),
        StandardCharsets.US_ASCII))) {
      return reader.lines().toList();
    }
  }

  /** The beginning of each message. */
  public static Stream<byte[]> messages() throws IOException {
    return lines().stream().map(line -> HexFormat.of().parseHex(line.split(" ")[3]));
  }

  @Test
  @DisplayName("R-123, R-127, B-065: each header, decoded and encoded again, is the same bytes")
  void sameBytes() throws IOException, FaultException {
    List<String> lines = lines();
    for (String line : lines) {
      String[] fields = line.split(" ");
      check(HexFormat.of().parseHex(fields[3]));
    }
    assertThat(lines).hasSize(512);
    // What tshark counts in the same captures, so that none was passed over.
    assertThat(List.of(readChunks, writeChunks, replyChunks, noInline, calls, replies))
        .isEqualTo(List.of(8, 12, 34, 20, 253, 239));
  }

  private void check(byte[] bytes) throws FaultException {
    ByteBuffer message = ByteBuffer.wrap(bytes);
    assertThat(RawHeader.version(message)).isEqualTo(RawHeader.VERSION);
    int procedure = RawHeader.procedure(message);
    assertThat(procedure).isIn(RawHeader.RDMA_MSG, RawHeader.RDMA_NOMSG);
    message.position(RawHeader.LENGTH);
    ChunkLists lists = ChunkLists.read(message, WireLimits.DEFAULT);
    ByteBuffer again = ByteBuffer.allocate(RawHeader.LENGTH + lists.encodedLength());
    RawHeader.write(again, RawHeader.xid(message), RawHeader.credits(message), procedure);
    lists.write(again);
    assertThat(again.array()).isEqualTo(Arrays.copyOf(bytes, message.position()));
    readChunks += lists.readChunks().size();
    writeChunks += lists.writeChunks().size();
    replyChunks += lists.replyChunk().isPresent() ? 1 : 0;
    if (procedure == RawHeader.RDMA_MSG) {
      rpc(message.slice(), RawHeader.xid(message));
    } else {
      noInline++;
      assertThat(message.hasRemaining()).isFalse();
    }
  }

  private void rpc(ByteBuffer payload, int xid) {
    assertThat(payload.getInt(0)).isEqualTo(xid);
    XdrWriter again = new XdrWriter();
    if (payload.getInt(4) == OncRpc.CALL) {
      calls++;
      CallHeader.decode(new XdrReader(payload)).encode(again);
    } else {
      replies++;
      ReplyHeader.decode(new XdrReader(payload)).encode(again);
    }
    byte[] head = again.toByteArray();
    assertThat(payload.slice(0, head.length)).isEqualTo(ByteBuffer.wrap(head));
  }
}
