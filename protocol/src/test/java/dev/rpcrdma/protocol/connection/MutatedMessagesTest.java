// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.XdrException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sound messages with a few bytes changed, words replaced by extreme ones, or their end cut off or
 * drawn out. Nothing that a peer sends may throw, and what it leaves behind is nothing.
 */
@Tag("seeded")
class MutatedMessagesTest {

  private static final int SEEDS = Integer.getInteger("rpcrdma.seeds", 3_000);
  private static final int MESSAGES = 8;
  private static final int[] EXTREMES = {0, 1, 2, 3, 4, -1, Integer.MAX_VALUE, Integer.MIN_VALUE,
      0x10000000, 0x51000000, 0x51000001, 0x1001, 0x1002};

  private static final String CALL = "00000000 00000002 00000009 00000001 00000005"
      + "00000001 00000014 00000000 00000000 00000000 00000000 00000000 00000000 00000000";
  private static final String REPLY = "00000001 00000000 00000000 00000000 00000000 00000003";
  private static final String[] SOUND = {
      "51000000 00000001 00000020 00000000 00000000 00000000 00000000 51000000" + CALL,
      "51000000 00000001 00000020 00000000 00000001 00000040 00000011 00000010 00000000 00000000"
          + "00000000 00000000 00000000 51000000" + CALL + "00000010",
      "51000000 00000001 00000020 00000001 00000001 00000000 00000011 00000040 00000000 00000000"
          + "00000000 00000001 00000001 00000022 00000100 00000000 00000000 00000000"
          + "00000001 00000001 00000033 00000400 00000000 00000000",
      "51000000 00000001 00000003 00000000 00000000 00000000 00000000 51000000" + REPLY,
      "51000000 00000001 00000003 00000000 00000000 00000001 00000001 00001001 00000000 00000000"
          + "00000000 00000000 00000000 51000000" + REPLY,
      "51000000 00000001 00000003 00000001 00000000 00000000 00000001 00000001 00001002 0000001c"
          + "00000000 00000000",
      "51000000 00000001 00000003 00000004 00000002",
      "51000000 00000001 00000003 00000004 00000001 00000001 00000001",
      "51000000 00000001 00000003 00000003"};

  @Test
  @DisplayName("R-140 R-320: whatever a client sends, a server stands, and leaks nothing")
  void server() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, false);
    }
  }

  @Test
  @DisplayName("R-140 R-320: whatever a server sends, a client stands, and leaks nothing")
  void client() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, true);
    }
  }

  private static void run(long seed, boolean client) {
    Random random = new Random(seed);
    MachineBed bed = new MachineBed(client);
    try {
      for (int i = 0; i < MESSAGES && bed.disconnected.isEmpty(); i++) {
        bed.call(random.nextBoolean() ? 4 : 2000, random.nextBoolean() ? new Integer[0]
            : new Integer[] {random.nextInt(3000)});
        bed.readsFail = random.nextInt(4) == 0;
        bed.receive(mutated(random), random.nextInt(10) == 0
            ? OptionalInt.of(0x1001 + random.nextInt(8)) : OptionalInt.empty());
        serve(bed, random);
      }
      bed.lose("the end");
      bed.settle();
      bed.checkAtRest();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("Seed " + seed + ": " + e, e);
    }
  }

  /** Reads the arguments as a service would, and answers. */
  private static void serve(MachineBed bed, Random random) {
    for (IncomingCall call : bed.incoming) {
      try {
        call.arguments().dataItem(10_000);
        call.arguments().end();
      } catch (XdrException e) {
        assertThat(e).hasMessageMatching("At byte .*|A data item of .*");
      }
      call.reply(writer -> writer.opaque(new byte[random.nextInt(1500)]));
      bed.settle();
    }
    bed.incoming.clear();
  }

  private static String mutated(Random random) {
    byte[] bytes = Hex.bytes(SOUND[random.nextInt(SOUND.length)]);
    for (int i = random.nextInt(4); i > 0; i--) {
      if (random.nextBoolean()) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      } else {
        int word = EXTREMES[random.nextInt(EXTREMES.length)];
        int at = 4 * random.nextInt(bytes.length / 4);
        for (int j = 0; j < 4; j++) {
          bytes[at + j] = (byte) (word >>> 8 * (3 - j));
        }
      }
    }
    int length = random.nextInt(4) > 0 ? bytes.length : random.nextInt(bytes.length + 40);
    return HexFormat.of().formatHex(Arrays.copyOf(bytes, length));
  }
}
