// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rpcrdma.protocol.FuzzInput;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.RecordedHeadersTest;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes as an ONC RPC message, its head read as what its type says and the rest by reads of all
 * kinds: values or an {@link XdrException}, never more than there is.
 *
 * <p>An input is the number of reads, one byte for each, and the message.
 */
@DisplayName("ONC RPC and XDR, fuzzed")
final class MessageFuzzTest {

  private static final int MOST_READS = 32;
  private static final int EACH = 60;

  static Stream<byte[]> seeds() throws IOException {
    return RecordedHeadersTest.messages().filter(message -> message.length > 60)
        .limit(EACH).map(message -> {
          byte[] seed = Arrays.copyOfRange(message, RawHeader.SHORT_LENGTH - 9, message.length);
          System.arraycopy(new byte[] {8, 0, 4, 5, 6, 7, 2, 8, 9}, 0, seed, 0, 9);
          return seed;
        });
  }

  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("R-012 B-102 B-103 B-109 B-121: any bytes as a message")
  void message(byte[] bytes) {
    FuzzInput input = new FuzzInput(bytes);
    byte[] reads = input.data(input.choice(MOST_READS));
    byte[] message = input.rest();
    ByteBuffer guarded = ByteBuffer.wrap(Arrays.copyOf(message, message.length + 64), 0,
        message.length);
    XdrReader reader = new XdrReader(guarded);
    try {
      head(message, reader);
      for (byte read : reads) {
        int before = reader.remaining();
        read(reader, read & 0xFF);
        assertThat(reader.remaining()).isBetween(0, before);
        assertThat(reader.position()).isEqualTo(message.length - reader.remaining());
      }
      reader.end();
      assertThat(reader.remaining()).isZero();
    } catch (XdrException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
    assertThat(guarded.position()).isZero();
  }

  /** A head that was understood is the same bytes when it is written again. */
  private static void head(byte[] message, XdrReader reader) {
    XdrWriter again = new XdrWriter();
    boolean exact = true;
    if (message.length > 7 && message[7] == 0) {
      CallHeader header = CallHeader.decode(reader);
      if (header.rpcVersion() != OncRpc.RPC_VERSION) {
        // Nothing behind the version is looked at.
        assertThat(reader.position()).isEqualTo(12);
        return;
      }
      header.encode(again);
      assertThat(header.encodedLength()).isEqualTo(again.length());
      credential(header.credential());
    } else {
      ReplyHeader header = ReplyHeader.decode(reader);
      header.encode(again);
      // A status that is not in the list is taken for another.
      exact = !(header instanceof ReplyHeader.AuthError);
    }
    byte[] head = again.toByteArray();
    assertThat((long) head.length).isEqualTo(reader.position());
    if (exact) {
      clearPadding(message, head);
    }
  }

  /** The same but for bytes that are zero when we write them: XDR lets padding be anything. */
  private static void clearPadding(byte[] message, byte[] head) {
    int padding = 0;
    for (int i = 0; i < head.length; i++) {
      if (head[i] != message[i]) {
        assertThat(head[i]).isZero();
        padding++;
      }
    }
    assertThat(padding).isLessThanOrEqualTo(6);
  }

  private static void credential(OpaqueAuth auth) {
    try {
      AuthSys sys = AuthSys.from(auth);
      assertThat(AuthSys.from(sys.toAuth())).isEqualTo(sys);
    } catch (XdrException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
  }

  private static void read(XdrReader reader, int kind) {
    int bound = 1 << kind / 16;
    switch (kind % 16) {
      case 0 -> reader.int32();
      case 1 -> reader.int64();
      case 2 -> reader.bool();
      case 3 -> reader.float64();
      case 4 -> assertThat(reader.opaque(bound).length).isLessThanOrEqualTo(bound);
      case 5 -> assertThat(reader.opaqueView(bound).remaining()).isLessThanOrEqualTo(bound);
      case 6 -> string(reader, bound);
      case 7 -> assertThat(reader.dataItem(bound).toByteArray().length)
          .isLessThanOrEqualTo(bound);
      case 8 -> assertThat(reader.count(bound)).isBetween(0, bound);
      case 9 -> assertThat(reader.count(Integer.MAX_VALUE, 4) * 4L)
          .isLessThanOrEqualTo(reader.remaining());
      case 10 -> assertThat(reader.fixedOpaque(bound)).hasSize(bound);
      case 11 -> reader.dataItem(Integer.MAX_VALUE);
      case 12 -> reader.opaque(-1);
      case 13 -> reader.string(Integer.MAX_VALUE);
      case 14 -> reader.fixedOpaque(Integer.MAX_VALUE - kind);
      default -> reader.float32();
    }
  }

  private static void string(XdrReader reader, int bound) {
    String text = reader.string(bound);
    assertThat(new XdrReader(ByteBuffer.wrap(new XdrWriter().string(text).toByteArray()))
        .string(bound)).isEqualTo(text);
  }
}
