// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** N-fold (RFC 3961 §5.1). */
@DisplayName("N-fold")
final class FoldingTest {

  /** Fails if copies are rotated by another number of bits, or the carry of {@code sum} does not come around. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "012345 | be072631276b1955",
      "password | 78a07b6caf85fa",
      "Rough Consensus, and Running Code | bb6ed30870b7f0e0",
      "password | 59e4a8ca7c0385c3c37b3f6d2000247cb6e6bd5b3e",
      "MASSACHVSETTS INSTITVTE OF TECHNOLOGY | db3b0d8f0b061e603282b308a50841229ad798fab9540c1b",
      "Q | 518a54a215a8452a518a54a215a8452a518a54a215",
      "ba | fb25d531ae8974499f52fd92ea9857c4ba24cf297e",
      "kerberos | 6b65726265726f73",
      "kerberos | 6b65726265726f737b9b5b2b93132b93",
      "kerberos | 8372c236344e5f1550cd0747e15d62ca7a5a3bcea4",
      "kerberos | 6b65726265726f737b9b5b2b93132b935c9bdcdad95c9899c4cae4dee6d6cae4"})
  @DisplayName("The vectors of RFC 3961, appendix A.1")
  void vectors(String text, String folded) {
    byte[] expected = HexFormat.of().parseHex(folded);
    assertThat(Folding.fold(text.getBytes(StandardCharsets.US_ASCII), expected.length)).isEqualTo(expected);
  }
}
