// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.TerminateCode;

/**
 * An error that ends the stream and that the peer is told of. Carries no stack trace: a hostile
 * peer must not be able to make them.
 */
public final class StreamFault extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private static final byte[] NONE = new byte[0];

  private final TerminateCode code;
  private final int segmentLength;
  private final transient byte[] headers;

  /**
   * Creates a fault without the offending headers.
   *
   * @param code what the peer is told
   * @param detail for people
   */
  public StreamFault(TerminateCode code, String detail) {
    this(code, detail, 0, NONE);
  }

  /**
   * Creates a fault.
   *
   * @param code what the peer is told
   * @param detail for people
   * @param segmentLength of the offending segment
   * @param headers of the offending segment
   */
  StreamFault(TerminateCode code, String detail, int segmentLength, byte[] headers) {
    super(detail, null, false, false);
    this.code = code;
    this.segmentLength = segmentLength;
    this.headers = headers;
  }

  /**
   * What the peer is told.
   *
   * @return the code
   */
  public TerminateCode code() {
    return code;
  }

  int segmentLength() {
    return segmentLength;
  }

  byte[] headers() {
    return headers;
  }
}
