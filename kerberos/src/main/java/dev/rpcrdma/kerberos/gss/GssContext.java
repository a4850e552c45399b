// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import java.nio.ByteBuffer;

/**
 * A security context that stands, of any mechanism (RFC 2743). Replay and sequence detection of the mechanism are off:
 * that is the business of {@link SequenceWindow} (RFC 2203 §5.3.3.1). From any thread.
 */
public interface GssContext extends GssVerifier {

  /**
   * Signs bytes (GSS_GetMIC).
   *
   * @param message between position and limit, which stay
   * @return the proof
   */
  byte[] sign(ByteBuffer message);

  /**
   * Encrypts and signs bytes (GSS_Wrap with confidentiality).
   *
   * @param message between position and limit, which stay
   * @return what the peer's mechanism opens
   */
  byte[] wrap(ByteBuffer message);

  /**
   * How long a proof of {@link #sign} is.
   *
   * @return bytes, the same for all messages
   */
  int proofLength();

  /**
   * How much longer {@link #wrap} makes a message.
   *
   * @return bytes at most
   */
  int wrapOverhead();
}
