// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.wire;

/**
 * The enhanced connection block of RFC 6581 §9.
 *
 * <pre>
 *   A B IRD(14) | C D ORD(14)
 * </pre>
 *
 * @param peerToPeer (A) the initiator sends a ready-to-receive message first
 * @param rtrSend (B) a zero-length Send may be that message
 * @param rtrWrite (C) a zero-length RDMA Write may be
 * @param rtrRead (D) a zero-length RDMA Read may be
 * @param ird the sender's own IRD, or {@link #NO_NEGOTIATION}
 * @param ord the sender's own ORD, or {@link #NO_NEGOTIATION}
 */
public record EnhancedBlock(
    boolean peerToPeer, boolean rtrSend, boolean rtrWrite, boolean rtrRead, int ird, int ord) {

  /** Bytes of the block. */
  public static final int BYTES = 4;

  /** Leave this depth to the consumers. */
  public static final int NO_NEGOTIATION = 0x3FFF;

  private static final int HIGH = 0x8000;
  private static final int LOW = 0x4000;

  /**
   * A block for the client-server model.
   *
   * @param ird own IRD
   * @param ord own ORD
   * @return the block
   */
  public static EnhancedBlock clientServer(int ird, int ord) {
    return new EnhancedBlock(false, false, false, false, ird, ord);
  }

  /**
   * Reads a block. With A=0 the other flags are ignored.
   *
   * @param word both 16-bit words
   * @return the block
   */
  public static EnhancedBlock parse(int word) {
    int first = word >>> 16;
    int second = word & 0xFFFF;
    boolean peerToPeer = (first & HIGH) != 0;
    return new EnhancedBlock(peerToPeer, peerToPeer && (first & LOW) != 0,
        peerToPeer && (second & HIGH) != 0, peerToPeer && (second & LOW) != 0,
        first & NO_NEGOTIATION, second & NO_NEGOTIATION);
  }

  /**
   * The block as both 16-bit words.
   *
   * @return 32 bits
   */
  public int encode() {
    int first = (peerToPeer ? HIGH : 0) | (rtrSend ? LOW : 0) | ird;
    int second = (rtrWrite ? HIGH : 0) | (rtrRead ? LOW : 0) | ord;
    return first << 16 | second;
  }
}
