// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.NO_LISTS;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;

/** One end, and what the other one sends to it, for tests of GIVE_UP. */
abstract class GivingUpBed {

  /** Words behind the XID of a GIVE_UP, before the number of XIDs. */
  static final String GIVE_UP = "00000000 00000002 2006f000 00000001 00000003 00000000 00000000 00000000"
      + " 00000000";
  static final String BLOCK = "4d440000";

  MachineBed bed;

  @AfterEach
  void nothingIsLeft() {
    bed.held = false;
    bed.settle();
    if (bed.disconnected.isEmpty()) {
      bed.lose("the end");
    }
    bed.releaseMemory();
    bed.settle();
    bed.endServices();
    bed.checkAtRest();
  }

  static String giveUp(int xid, int credits, int... given) {
    return words("%08x 00000001 %08x 00000000".formatted(xid, credits) + NO_LISTS + "%08x".formatted(xid) + GIVE_UP
        + "%08x".formatted(given.length) + Arrays.stream(given).mapToObj("%08x"::formatted)
        .collect(Collectors.joining()) + BLOCK);
  }

  static String success(int xid, int credits) {
    return words("%08x 00000001 %08x 00000000".formatted(xid, credits) + NO_LISTS + "%08x".formatted(xid)
        + "00000001 00000000 00000000 00000000 00000000" + BLOCK);
  }

  static int xid(String message) {
    return Integer.parseUnsignedInt(message.substring(0, 8), 16);
  }

  static String words(String hex) {
    return String.join(" ", hex.replace(" ", "").split("(?<=\\G.{8})"));
  }
}
