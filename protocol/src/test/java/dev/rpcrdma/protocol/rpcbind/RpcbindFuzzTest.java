// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rpcrdma.protocol.FuzzInput;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.record.RecordException;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.protocol.record.RecordReader;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes from a connection as calls of an rpcbind, as they arrive in pieces, and as what an rpcbind answers: an answer
 * to each call that has a head, no more entries than there is room for, lists that are the same when they are written
 * and read again, or an exception of the layer that does not understand them.
 */
@DisplayName("rpcbind, fuzzed")
final class RpcbindFuzzTest {

  private static final int MAX_CALL = 4096;
  private static final int MAX_ENTRIES = 1;
  private static final int MAX_PIECE = 200;

  /** The recorded calls, one after the other, in pieces of which the first byte says how long they are. */
  static Stream<byte[]> calls() {
    List<byte[]> calls = Recorded.session().values().stream().map(each -> RecordMark.framed(each.call())).toList();
    ByteBuffer all = ByteBuffer.allocate(1 + calls.stream().mapToInt(call -> call.length).sum()).put((byte) 100);
    calls.forEach(all::put);
    return Stream.concat(Stream.of(all.array()),
        calls.stream().map(call -> ByteBuffer.allocate(1 + call.length).put((byte) 30).put(call).array()));
  }

  static Stream<byte[]> replies() {
    return Recorded.session().values().stream().map(Recorded::reply)
        .map(reply -> Arrays.copyOfRange(reply, Math.min(reply.length, OncRpc.SUCCESS_HEADER_LENGTH), reply.length));
  }

  /** Fails if {@code RpcbindTable.set} has no bound. */
  @MethodSource("calls")
  @FuzzTest
  @DisplayName("R-182 B-113: any bytes from a connection to an rpcbind")
  void calls(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    int piece = 1 + input.choice(MAX_PIECE);
    RpcbindTable table = new RpcbindTable(MAX_ENTRIES);
    RpcbindResponder responder = new RpcbindResponder(table);
    RpcbindCaller caller = new RpcbindCaller(piece % 2 == 0, Netid.TCP, "192.0.2.7", 1);
    RecordReader records = new RecordReader(MAX_CALL);
    try {
      while (input.hasMore()) {
        for (byte[] call : records.read(ByteBuffer.wrap(input.data(piece)))) {
          assertThat(call.length).isLessThanOrEqualTo(MAX_CALL);
          ReplyHeader reply = ReplyHeader.decode(new XdrReader(ByteBuffer.wrap(responder.answer(call, caller))));
          assertThat(reply.xid()).isEqualTo(ByteBuffer.wrap(call).getInt());
        }
      }
    } catch (RecordException | XdrException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
    assertThat(table.all()).hasSizeLessThanOrEqualTo(caller.maySet() ? MAX_ENTRIES : 0).doesNotHaveDuplicates();
  }

  /** Fails if {@code Rpcb.decodeList} changes the order of what it reads. */
  @MethodSource("replies")
  @FuzzTest
  @DisplayName("R-181 R-182 B-113: any bytes as what an rpcbind answers")
  void replies(byte[] bytes) {
    for (Rpcb each : rpcbs(bytes)) {
      address(each.address());
      PortMapping.of(each).map(PortMapping::toRpcb).ifPresent(same -> assertThat(same.netid()).isEqualTo(each.netid()));
    }
    List<PortMapping> mappings = new ArrayList<>();
    try {
      mappings.addAll(PortMapping.decodeList(new XdrReader(ByteBuffer.wrap(bytes))));
    } catch (XdrException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
    mappings.forEach(each -> assertThat(UniversalAddress.parse(each.toRpcb().address()).port())
        .isEqualTo(each.port() & 0xffff));
  }

  private static List<Rpcb> rpcbs(byte[] bytes) {
    List<Rpcb> all;
    try {
      all = Rpcb.decodeList(new XdrReader(ByteBuffer.wrap(bytes)));
    } catch (XdrException e) {
      assertThat(e).hasMessageMatching("(?s).+");
      return List.of();
    }
    XdrWriter writer = new XdrWriter();
    Rpcb.encodeList(writer, all);
    assertThat(Rpcb.decodeList(new XdrReader(ByteBuffer.wrap(writer.toByteArray())))).isEqualTo(all);
    return all;
  }

  private static void address(String text) {
    try {
      UniversalAddress address = UniversalAddress.parse(text);
      assertThat(address.port()).isBetween(0, 0xffff);
      assertThat(UniversalAddress.parse(address.toString())).isEqualTo(address);
    } catch (UniversalAddressException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
  }
}
