// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rpcrdma.siw.FuzzInput;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a peer sends, in whatever pieces: a {@link StreamFault} is all that comes of it, nothing
 * is placed outside of what was offered, nothing is delivered or sent after the end, and each post,
 * exposure and registration is given back.
 */
@DisplayName("iWARP: what arrives, fuzzed")
final class ReceiveFuzzTest {

  /** Settings, then moves: see {@link ReceiveBed}. */
  static Stream<byte[]> seeds() {
    return Stream.of(
        "0001000000 0a00080102030405060708 00 0200",
        "0101000000 0440 0200 0e000000 0e0300",
        "0001010001 0a03080102030405060708 00 0a00080102030405060708 00 0200",
        "0000000000 0c000801020304050607080000 00 0d000140000000 0200",
        "0001000103 0f00000000 0f01000000 0410 0200 0e0000 0800 0801",
        "0101000007 0510 0610 0410 0200 0310 0a000401020304 00 0100",
        "0000000000 0010001041430000000000000000000000010000000000000000")
        .map(digits -> HexFormat.of().parseHex(digits.replace(" ", "")));
  }

  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("P-007, P-013, P-014, P-017, P-019, P-021, P-023: any segments and bytes")
  void receive(byte[] bytes) {
    new ReceiveBed(new FuzzInput(bytes)).run();
  }
}
