// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;

/** Calls as they come again, and whether they are executed. */
abstract class RepeatedCallsChecks {

  static final String INLINE =
      "11111111 00000001 00000020 00000000 00000000 00000000 00000000 11111111" + CALL;
  /** With a Write chunk of 64 bytes. */
  static final String PLACED = "11111111 00000001 00000020 00000000 00000000"
      + "00000001 00000001 0000abcd 00000040 00000000 00000000 00000000 00000000 11111111" + CALL;
  /** The same in another slot, and with another tag. */
  static final String OTHER_PLACED =
      PLACED.replace("11111111", "22222222").replace("0000abcd", "0000abce");
  /** With a Read chunk of 80 000 bytes. */
  static final String REDUCED = "11111111 00000001 00000020 00000000"
      + "00000001 0000002c 00000abc 00013880 00000000 00000000 00000000 00000000 00000000 11111111"
      + CALL + "00013880";
  static final String ERR_CHUNK = "11111111 00000001 00000003 00000004 00000002";

  /** Whether a call that comes now goes to the service. */
  static boolean executed(MachineBed bed, String call) {
    int before = bed.incoming.size();
    bed.receive(call);
    return bed.incoming.size() > before;
  }

  /** Lets a machine whose connection is lost, or fenced, get what its device still has for it. */
  static void late(MachineBed bed) {
    bed.held = false;
    bed.settle();
  }
}
