// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.wire.MpaFrame;
import dev.rpcrdma.verbs.base.Causes;
import java.nio.ByteBuffer;

/** Collects a startup frame from pieces of any size, and stops at the first byte that is wrong. */
final class MpaFrameReader {

  private final boolean request;
  private final byte[] bytes = new byte[MpaFrame.HEADER_BYTES + MpaFrame.MAX_PRIVATE_DATA];
  private int count;

  MpaFrameReader(boolean request) {
    this.request = request;
  }

  /**
   * Takes bytes of the frame, and none behind it.
   *
   * @return true if the frame is complete
   */
  boolean feed(ByteBuffer in) throws StartupException {
    take(in, MpaFrame.HEADER_BYTES);
    if (!keyMatches()) {
      // RFC 5044 §7.1.2: a wrong key closes the connection. Both sides as initiator look like this.
      throw new StartupException(MpaFrame.keyMatches(bytes, count, !request)
          ? "The peer sent an MPA " + (request ? "Reply" : "Request") + " where an MPA "
              + (request ? "Request" : "Reply") + " is due"
          : "The peer does not speak iWARP: its first bytes are "
              + (looksLikeTls() ? "TLS, which this side's option 'tls' would bring" : "no MPA "
              + (request ? "Request" : "Reply")));
    }
    if (count < MpaFrame.HEADER_BYTES) {
      return false;
    }
    int length = MpaFrame.privateDataLength(bytes);
    if (length > MpaFrame.MAX_PRIVATE_DATA) {
      throw new StartupException("The peer's MPA frame announces " + length
          + " bytes of private data; " + MpaFrame.MAX_PRIVATE_DATA + " are allowed");
    }
    take(in, MpaFrame.HEADER_BYTES + length);
    return count == MpaFrame.HEADER_BYTES + length;
  }

  /** Whether what has come so far can be the right frame. */
  boolean keyMatches() {
    return MpaFrame.keyMatches(bytes, count, request);
  }

  /** Tells whether all of the right key has come. */
  boolean hasKey() {
    return count >= MpaFrame.KEY_BYTES && keyMatches();
  }

  /** RFC 8446 §5.1: an alert or a handshake record, which is how TLS begins or refuses. */
  private boolean looksLikeTls() {
    return bytes[0] == 21 || bytes[0] == 22;
  }

  MpaFrame frame() throws StartupException {
    try {
      return MpaFrame.parse(bytes, request);
    } catch (IllegalArgumentException e) {
      StartupException wrapped = new StartupException("The peer's MPA frame: " + Causes.message(e));
      wrapped.initCause(e);
      throw wrapped;
    }
  }

  private void take(ByteBuffer in, int upTo) {
    int n = Math.min(in.remaining(), upTo - count);
    if (n > 0) {
      in.get(bytes, count, n);
      count += n;
    }
  }
}
