// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import dev.rpcrdma.siw.stream.FpduEncoder;
import dev.rpcrdma.siw.stream.MpaAgreement;
import dev.rpcrdma.siw.transport.Link;

/** The Terminate of an initiator that cannot take what the responder accepted (RFC 6581 §8). */
final class ConnectRefusal {

  private ConnectRefusal() {}

  static void send(Link link, MpaAgreement agreement) {
    link.write(FpduEncoder.terminate(agreement));
  }
}
