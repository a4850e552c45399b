// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.service.fixture.BlobStore;
import dev.rpcrdma.service.fixture.Echo;
import dev.rpcrdma.service.fixture.EchoService;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a peer sends, it is refused by its own means, before anything is allocated for it. */
class HostileBytesTest {

  /** Less than any of the counts, more than what loading classes takes. */
  private static final int FEW_BYTES = 1024 * 1024;

  private final RawCalls calls = RawCalls.to(ServiceBinding.of(Echo.class), new EchoService());

  static Stream<Samples.Sample> samples() {
    return Samples.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void truncationIsRefusedAtEachByte(Samples.Sample sample) {
    byte[] bytes = sample.bytes();
    for (int length = 0; length < bytes.length; length++) {
      assertRefused(sample.procedure(), Arrays.copyOf(bytes, length));
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void trailingBytesAreRefused(Samples.Sample sample) {
    byte[] bytes = sample.bytes();
    assertRefused(sample.procedure(), Arrays.copyOf(bytes, bytes.length + 4));
    assertRefused(sample.procedure(), Arrays.copyOf(bytes, bytes.length + 1));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void hugeCountsAllocateNothing(Samples.Sample sample) {
    for (int offset = 0; offset < sample.bytes().length; offset += 4) {
      for (int word : new int[] {0x40000000, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff}) {
        byte[] bytes = sample.bytes();
        ByteBuffer.wrap(bytes).putInt(offset, word);
        assertThat(calls.allocatedByRefusal(sample.procedure(), bytes))
            .as("%08x at %d", word, offset).isLessThan(FEW_BYTES);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
      "1, 00000002, a bool of 2",
      "1, ffffffff, a bool of -1",
      "2, 00000080, a byte of 128",
      "2, ffffff7f, a byte of -129",
      "3, 00008000, a short of 32768",
      "4, 00010000, a char of 65536",
      "4, ffffffff, a char of -1",
      "9, 00000001c3000000, half a UTF-8 sequence",
      "13, 00000003, an enum behind its last constant",
      "13, ffffffff, an enum before its first constant",
      "15, 000000020000000000000000, a set with twins",
      "16, 00000002000000000000000100000000000000 02, a map with one key twice",
      "17, 00000002, an optional of 2",
      "18, ffffffff000000000000000000000000 00000000, a record that its constructor refuses",
      "18, 0000000000000009 00000000000000000000000000000000 0000000000000000, a long label",
      "20, 000000017b000000, JSON without end",
      "21, 000000027b7d0000, a JSON object for an array",
      "23, 0000000000000000 3b9aca00, a second of nanoseconds",
      "23, 7fffffffffffffff00000000, an instant behind the last",
      "24, 0000000000000000ffffffff, negative nanoseconds",
      "32, 00000003000000000000000000000000, a list that is too long",
      "34, ffffffffffffffff, a negative bound of the result",
      "34, 0000000080000000, a bound of 2^31",
  })
  void badValuesAreRefused(int procedure, String hex, String what) {
    assertRefused(procedure, HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  @Test
  void deepNestingIsRefused() {
    // Each level: an empty name, no children, and another behind it.
    ByteBuffer chain = ByteBuffer.allocate(12 * 100_000);
    IntStream.range(0, 100_000).forEach(i -> chain.putInt(0).putInt(0).putInt(1));
    assertThatThrownBy(() -> calls.serve(19, chain.array())).isInstanceOf(XdrException.class)
        .hasMessageContaining("256 deep");
    ByteBuffer children = ByteBuffer.allocate(8 * 100_000);
    IntStream.range(0, 100_000).forEach(i -> children.putInt(0).putInt(1));
    assertThatThrownBy(() -> calls.serve(19, children.array())).isInstanceOf(XdrException.class);
  }

  @Test
  void unknownProceduresAreUnavailable() {
    assertThatThrownBy(() -> calls.serve(29, new byte[0])).isInstanceOf(RpcStatusException.class);
    assertThatThrownBy(() -> calls.serve(0x80000000, new byte[0]))
        .isInstanceOf(RpcStatusException.class);
  }

  @ParameterizedTest
  @CsvSource({
      "5, 0000000000000001000000, truncated",
      "5, 000000000000000100000002, trailing bytes",
      "9, 00000000ffffffff, a string of 2^32-1 bytes",
      "14, 000000007fffffff, a list of 2^31-1 elements",
      "13, 0000000000000003, a bad enum",
      "25, 0000000000000000, a result of void",
      "5, 00000001000000010000010100000000, a message that is too long",
      "5, 000000010000000100000000000000017b000000, debug info that is no JSON",
      "5, 0000000100000001, a failure without text",
      "18, 00000000ffffffff000000000000000000000000 00000000, a record its constructor refuses",
  })
  void badRepliesAreRefused(int procedure, String hex, String what) {
    byte[] reply = HexFormat.of().parseHex(hex.replace(" ", ""));
    Echo echo = new CannedCaller(reply).proxy(Echo.class);
    Function<Echo, Future<Object>> call = Samples.ALL.stream()
        .filter(s -> s.procedure() == procedure).findFirst().map(Samples.Sample::call)
        .orElse(e -> e.ofNothing().map(v -> v));
    assertThat(call.apply(echo).cause()).isInstanceOf(RpcDecodingException.class)
        .hasCauseInstanceOf(XdrException.class);
  }

  @ParameterizedTest
  @CsvSource({
      "00000000000000016100000000000000, trailing bytes",
      "000000000000000361626300, longer than the target",
      "00000000ffffffff, longer than all",
  })
  void badRepliesLeaveTheTargetAlone(String hex, String what) throws Exception {
    OnVertx onVertx = new OnVertx();
    Payload target = Payload.allocate(onVertx.vertx(), 2);
    BlobStore blobs = new CannedCaller(HexFormat.of().parseHex(hex)).proxy(BlobStore.class);
    assertThat(blobs.get("k", target).cause()).isInstanceOf(RpcDecodingException.class);
    target.release();
    assertThatThrownBy(target::bytes).as("nobody else owns it")
        .isInstanceOf(IllegalStateException.class);
    onVertx.close();
  }

  private void assertRefused(int procedure, byte[] arguments) {
    assertThatThrownBy(() -> calls.serve(procedure, arguments)).isInstanceOf(XdrException.class);
  }
}
