// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Opens what one end of a security context has signed or wrapped: the other end, or who has its keys. */
public interface GssVerifier {

  /**
   * Verifies bytes (GSS_VerifyMIC).
   *
   * @param message between position and limit, which stay
   * @param proof of the peer
   * @return whether the peer has signed just these
   */
  boolean verifies(ByteBuffer message, byte[] proof);

  /**
   * Opens what the peer has wrapped (GSS_Unwrap).
   *
   * @param wrapped between position and limit, which stay
   * @return empty if the peer has not wrapped just these, or not with confidentiality
   */
  Optional<byte[]> unwrap(ByteBuffer wrapped);
}
