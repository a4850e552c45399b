// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.EnhancedBlock;
import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.siw.wire.TerminateCode;
import java.util.EnumSet;
import java.util.Optional;

/** Agreements that no startup has made. */
final class Agreements {

  private Agreements() {}

  static MpaAgreement of(boolean crc, boolean markersSent, boolean markersReceived, int ord,
      int ird, Rtr rtr) {
    return new MpaAgreement(crc, markersSent, markersReceived, ord, ird, rtr, Optional.empty(),
        new byte[0],
        new MpaOffer(crc, markersReceived, true, EnumSet.noneOf(Rtr.class), ird, ord, ird,
            new byte[0]),
        new MpaFrame(true, markersSent, crc, false, 2,
            Optional.of(EnhancedBlock.clientServer(ord, ird)), new byte[0]));
  }

  static MpaAgreement refused(MpaAgreement agreement, TerminateCode why) {
    return new MpaAgreement(agreement.crc(), agreement.markersSent(), agreement.markersReceived(),
        agreement.outboundReads(), agreement.inboundReads(), agreement.rtr(), Optional.of(why),
        agreement.privateData(), agreement.offer(), agreement.peer());
  }
}
