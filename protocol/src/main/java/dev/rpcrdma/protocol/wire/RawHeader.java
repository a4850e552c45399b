// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.wire;

import java.nio.ByteBuffer;

/**
 * The four words that begin every RPC-over-RDMA message of any version (RFC 8166 §4.2, R-123), and
 * the numbers that go with them. Judges nothing.
 *
 * <pre>
 *   0  rdma_xid      4  rdma_vers      8  rdma_credit      12  rdma_proc
 * </pre>
 */
public final class RawHeader {

  /** Size of the four words. */
  public static final int LENGTH = 16;

  /** Size of a header with three empty chunk lists. */
  public static final int SHORT_LENGTH = 28;

  /** The version of this protocol. */
  public static final int VERSION = 1;

  /** rdma_proc: the Payload stream follows in the same Send. */
  public static final int RDMA_MSG = 0;
  /** rdma_proc: the Payload stream is in a chunk. */
  public static final int RDMA_NOMSG = 1;
  /** rdma_proc: obsolete, never sent (RFC 8166 §4.6.1). */
  public static final int RDMA_MSGP = 2;
  /** rdma_proc: reserved (RFC 8166 §4.6.2). */
  public static final int RDMA_DONE = 3;
  /** rdma_proc: the transport could not process a call. */
  public static final int RDMA_ERROR = 4;

  /** rdma_err: the version is not supported; low and high follow. */
  public static final int ERR_VERS = 1;
  /** rdma_err: header or chunks could not be processed. */
  public static final int ERR_CHUNK = 2;

  /** Size of an RDMA_ERROR message with ERR_CHUNK. */
  public static final int ERR_CHUNK_LENGTH = 20;
  /** Size of an RDMA_ERROR message with ERR_VERS. */
  public static final int ERR_VERS_LENGTH = 28;

  private RawHeader() {}

  /**
   * rdma_xid.
   *
   * @param message at least {@link #LENGTH} bytes from index 0
   * @return 32 bits
   */
  public static int xid(ByteBuffer message) {
    return message.getInt(0);
  }

  /**
   * rdma_vers.
   *
   * @param message at least {@link #LENGTH} bytes from index 0
   * @return 32 bits
   */
  public static int version(ByteBuffer message) {
    return message.getInt(4);
  }

  /**
   * rdma_credit.
   *
   * @param message at least {@link #LENGTH} bytes from index 0
   * @return 32 bits, unsigned
   */
  public static int credits(ByteBuffer message) {
    return message.getInt(8);
  }

  /**
   * rdma_proc.
   *
   * @param message at least {@link #LENGTH} bytes from index 0
   * @return 32 bits
   */
  public static int procedure(ByteBuffer message) {
    return message.getInt(12);
  }

  /**
   * Writes the four words.
   *
   * @param target position advances by {@link #LENGTH}
   * @param xid rdma_xid
   * @param credits rdma_credit, never 0
   * @param procedure rdma_proc
   */
  public static void write(ByteBuffer target, int xid, int credits, int procedure) {
    target.putInt(xid).putInt(VERSION).putInt(credits).putInt(procedure);
  }

  /**
   * Writes an RDMA_ERROR message with ERR_CHUNK (RFC 8166 §4.5.2).
   *
   * @param target position advances by {@link #ERR_CHUNK_LENGTH}
   * @param xid rdma_xid of the message in error
   * @param credits rdma_credit, never 0
   */
  public static void writeErrChunk(ByteBuffer target, int xid, int credits) {
    write(target, xid, credits, RDMA_ERROR);
    target.putInt(ERR_CHUNK);
  }

  /**
   * Writes an RDMA_ERROR message with ERR_VERS and our range of versions (RFC 8166 §4.5.1).
   *
   * @param target position advances by {@link #ERR_VERS_LENGTH}
   * @param xid rdma_xid of the message in error
   * @param version rdma_vers of the message in error, which is echoed
   * @param credits rdma_credit, never 0
   */
  public static void writeErrVers(ByteBuffer target, int xid, int version, int credits) {
    target.putInt(xid).putInt(version).putInt(credits).putInt(RDMA_ERROR);
    target.putInt(ERR_VERS).putInt(VERSION).putInt(VERSION);
  }
}
