// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.nio.ByteBuffer;

/** What lies before the IP header, by link type. */
final class LinkLayer {

  private static final int NULL = 0;
  private static final int ETHERNET = 1;
  /** Raw IP has one number for files and, in old files, two of the systems that wrote them. */
  private static final int RAW = 101;
  private static final int RAW_BSD = 12;
  private static final int RAW_OPENBSD = 14;
  private static final int LOOP = 108;
  private static final int LINUX_COOKED = 113;
  private static final int IPV4 = 228;
  private static final int IPV6 = 229;
  private static final int LINUX_COOKED_2 = 276;

  private static final int ETHERTYPE_IPV4 = 0x0800;
  private static final int ETHERTYPE_IPV6 = 0x86DD;
  private static final int ETHERTYPE_VLAN = 0x8100;
  private static final int ETHERTYPE_SERVICE_VLAN = 0x88A8;

  private LinkLayer() {}

  /**
   * Where the IP header starts.
   *
   * @return its index, or -1 if the frame holds something else
   * @throws CaptureFormatException for a link type that is not known
   */
  static int ipHeader(CapturedPacket packet) throws CaptureFormatException {
    ByteBuffer bytes = packet.bytes();
    switch (packet.linkType()) {
      case RAW:
      case RAW_BSD:
      case RAW_OPENBSD:
      case IPV4:
      case IPV6:
        return 0;
      case NULL:
      case LOOP:
        // Four bytes of address family, whose numbers depend on the system: IP tells its version.
        return 4;
      case ETHERNET:
        return behindType(bytes, 12);
      case LINUX_COOKED:
        return behindType(bytes, 14);
      case LINUX_COOKED_2:
        return bytes.limit() >= 20 && isIp(bytes.getShort(0) & 0xFFFF) ? 20 : -1;
      default:
        throw new CaptureFormatException("Frame " + packet.frame() + " is of link type "
            + packet.linkType() + "; known are Ethernet, Linux cooked, raw IP and loopback");
    }
  }

  private static int behindType(ByteBuffer bytes, int typeAt) {
    int at = typeAt;
    while (bytes.limit() >= at + 2) {
      int type = bytes.getShort(at) & 0xFFFF;
      if (type != ETHERTYPE_VLAN && type != ETHERTYPE_SERVICE_VLAN) {
        return isIp(type) ? at + 2 : -1;
      }
      at += 4;
    }
    return -1;
  }

  private static boolean isIp(int type) {
    return type == ETHERTYPE_IPV4 || type == ETHERTYPE_IPV6;
  }
}
