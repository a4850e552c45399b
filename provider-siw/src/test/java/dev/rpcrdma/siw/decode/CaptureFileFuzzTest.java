// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rpcrdma.verbs.capture.StreamDecoder;
import dev.rpcrdma.verbs.capture.read.CaptureFile;
import dev.rpcrdma.verbs.capture.read.CaptureFormatException;
import dev.rpcrdma.verbs.capture.read.Conversation;
import dev.rpcrdma.verbs.capture.read.ConversationHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes as a capture file, read and decoded as the command line does it: a
 * {@link CaptureFormatException} or an end, each stream opened and ended once, and no more bytes
 * told than there were.
 */
@DisplayName("Capture files, fuzzed")
final class CaptureFileFuzzTest {

  private static final int SEED_BYTES = 2_000;

  static Stream<byte[]> seeds() {
    return Recorded.NAMES.stream().map(name -> {
      try (InputStream in = Recorded.class.getResourceAsStream("/captures/" + name + ".pcap")) {
        return in.readNBytes(SEED_BYTES);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  @MethodSource("seeds")
  @FuzzTest
  @DisplayName("Any bytes as a capture file")
  void read(byte[] bytes) throws IOException {
    Handler handler = new Handler();
    try {
      CaptureFile.read(new ByteArrayInputStream(bytes), handler);
    } catch (CaptureFormatException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
    assertThat(handler.ended).isEqualTo(handler.decoders.keySet());
    assertThat(handler.size).isLessThanOrEqualTo(bytes.length);
  }

  private static final class Handler implements ConversationHandler {

    final Map<Conversation, StreamDecoder> decoders = new HashMap<>();
    final Set<Conversation> ended = new HashSet<>();
    long size;

    @Override
    public void opened(Conversation conversation) {
      assertThat(decoders.put(conversation, new SiwCaptureDecoder().stream(unit -> { }))).isNull();
    }

    @Override
    public void bytes(Conversation conversation, long frame, boolean fromOpener,
        ByteBuffer bytes) {
      size += bytes.remaining();
      decoders.get(conversation).bytes(frame, fromOpener, bytes);
    }

    @Override
    public void gap(Conversation conversation, long frame, boolean fromOpener, long missing) {
      assertThat(missing).isPositive();
    }

    @Override
    public void ended(Conversation conversation) {
      assertThat(ended.add(conversation)).isTrue();
    }
  }
}
