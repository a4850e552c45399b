// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.xdr.DataItem;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A device takes Writes and Reads up to some length; what is longer goes in several. */
class LongTransfersTest {

  private final MachineBed bed = new MachineBed(MachineBed.like(false).maxTransfer(1000));

  /** Fails if {@code ReplyTransmission.writing} or {@code Puller.ready} posts a segment as it is. */
  @Test
  @DisplayName("R-004: chunks are read and written in as many pieces as the device needs, each byte in its place")
  void pieces() {
    byte[] argument = new byte[2500];
    for (int i = 0; i < argument.length; i++) {
      argument[i] = (byte) (i % 251);
    }
    bed.readable.put(0xabc, argument);
    bed.receive("11111111 00000001 00000020 00000000 00000001 0000002c 00000abc 000009c4 00000000 00000000 00000000"
        + "00000001 00000001 0000aaaa 00001000 00000000 00000010 00000000 00000000 11111111" + CALL + "000009c4");
    IncomingCall call = bed.incoming.remove(0);
    byte[] seen = call.arguments().dataItem(4000).toByteArray();
    assertThat(seen).isEqualTo(argument);
    call.reply(writer -> writer.dataItem(DataItem.of(seen)));
    bed.settle();
    assertThat(bed.takeSent()).startsWith("write 1000 to aaaa+16", "write 1000 to aaaa+1016",
        "write 500 to aaaa+2016").hasSize(4);
    bed.checkAtRest();
  }

  @Test
  @DisplayName("Cutting leaves out what has no bytes, and counts lengths as unsigned")
  void cut() {
    assertThat(Segment.cut(List.of(new Segment(1, 0, 5), new Segment(2, 3, 7), new Segment(3, 4, -2)), 3))
        .containsExactly(new Segment(2, 3, 7), new Segment(3, 3, -2), new Segment(3, 1, 1));
    assertThat(Segment.cut(List.of(new Segment(1, -1, 0)), Integer.MAX_VALUE))
        .containsExactly(new Segment(1, Integer.MAX_VALUE, 0),
            new Segment(1, Integer.MAX_VALUE, Integer.MAX_VALUE), new Segment(1, 1, 2L * Integer.MAX_VALUE));
  }
}
