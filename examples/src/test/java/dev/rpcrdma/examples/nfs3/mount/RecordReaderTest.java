package dev.rpcrdma.examples.nfs3.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Record marking. */
class RecordReaderTest {

  private static final Buffer STREAM = Buffer.buffer()
      .appendInt(0x80000003).appendString("abc")
      .appendInt(2).appendString("de").appendInt(0).appendInt(0x80000001).appendString("f")
      .appendInt(0x80000000)
      .appendBuffer(RecordReader.framed("ghij".getBytes()));

  @Test
  @DisplayName("RFC 5531 §11: records of fragments, cut anywhere")
  void cutAnywhere() throws RecordException {
    for (int step = 1; step <= STREAM.length(); step++) {
      RecordReader reader = new RecordReader(4);
      List<String> records = new ArrayList<>();
      for (int at = 0; at < STREAM.length(); at += step) {
        reader.read(STREAM.getBuffer(at, Math.min(at + step, STREAM.length())))
            .forEach(record -> records.add(record.toString()));
      }
      assertThat(records).containsExactly("abc", "def", "", "ghij");
    }
  }

  @Test
  void recordsAreBounded() {
    assertThatThrownBy(() -> new RecordReader(4).read(Buffer.buffer().appendInt(0x80000005)))
        .isInstanceOf(RecordException.class).hasMessageContaining("4 bytes");
    assertThatThrownBy(() -> new RecordReader(4).read(Buffer.buffer().appendInt(-1)))
        .isInstanceOf(RecordException.class);
    assertThatThrownBy(() -> new RecordReader(4).read(Buffer.buffer().appendInt(3)
        .appendString("abc").appendInt(2))).isInstanceOf(RecordException.class);
  }
}
