// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rpcrdma.protocol.FuzzInput;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A client's machine against a server, an application and a fabric whose moves a fuzzer chooses. Nothing
 * throws, each call has one outcome, and in the end nothing is left: no region, no exposure, no
 * deadline, no call.
 */
@DisplayName("A client's machine, fuzzed")
final class RequesterFuzzTest {

  /** Moves: see {@link PeerMoves}. */
  static Stream<byte[]> seeds() {
    return Stream.of(
        "01 00 10  0a 01 00 05 00 03 00 00 00 01 04 00000003 00 00 00",
        "01 01 40 10  0a 01 00 05 00 03 00 01 01 00 00 40 00 01 00 00 00 00 00",
        "01 02 10 10 05 00 04 3f 0a 01 00 04 00 03 02 00 00 00",
        "08 01 00 ff 09 09 0a 01 00 01 00 03 00 00 01 01 00 00 10 00 00 00 08",
        "e1 01 00 10  0a 01 00 05 00 03 00 00 00 01 04 00000003 00 00 00 00 05 00")
        .map(digits -> HexFormat.of().parseHex(digits.replace(" ", "")));
  }

  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("R-140 R-159 R-172 R-320: any moves")
  void moves(byte[] bytes) {
    new PeerMoves(new FuzzInput(bytes), true).run();
  }
}
