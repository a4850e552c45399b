// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rpcrdma.protocol.FuzzInput;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server's machine against a client, an application and a fabric whose moves a fuzzer chooses. Nothing
 * throws, each call has one outcome, and in the end nothing is left: no region, no exposure, no
 * deadline, no call.
 */
@DisplayName("A server's machine, fuzzed")
final class ResponderFuzzTest {

  /** Moves: see {@link PeerMoves}. */
  static Stream<byte[]> seeds() {
    return Stream.of(
        "0a 00 00 05 00 08 00 00 00 00 04 00000003 00 00 00 02 01 05",
        "0a 00 01 05 00 08 01 0b 02 00 04 00 00 00 04 00000010 00 00 00 02 00 20",
        "0a 00 01 01 00 08 01 00 02 00 40 01 01 02 00 40 01 01 02 00 ff 00 00 00 02 00 10",
        "08 0a 00 01 05 00 08 00 01 01 03 00 20 00 00 00 00 00 00 00 03 09 09 08",
        "e0 0a 00 00 05 00 08 00 00 00 00 04 00000003 00 05 00 00 00 02 01 05",
        "e1 0a 00 01 05 00 08 01 00 00 00 00 04 00 00 00 01 00 00 02 00 ff")
        .map(digits -> HexFormat.of().parseHex(digits.replace(" ", "")));
  }

  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("R-140 R-159 R-172 R-320: any moves")
  void moves(byte[] bytes) {
    new PeerMoves(new FuzzInput(bytes), false).run();
  }
}
