// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.util.Locale;

/** What Linux siw offers on the wire is fixed when it is compiled; the lab has three of it. */
public enum SiwVariant {
  /** As Debian's kernel source has it: no CRCs unless the peer asks for them, no peer-to-peer mode. */
  PLAIN,
  /** Asks for CRCs when it connects; when it accepts, the peer decides. */
  CRC,
  /** Asks for the peer-to-peer mode of RFC 6581 when it connects. */
  P2P;

  /** The name that the lab's scripts know. */
  String scriptName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
