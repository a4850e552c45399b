// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.security;

import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;

/** The verdict on a call whose replies prove nothing: their verifier is AUTH_NONE. */
public interface UnprotectedCall extends CallSecurity {

  @Override
  default int verifierLength() {
    return OpaqueAuth.NONE.encodedLength();
  }

  @Override
  default OpaqueAuth verifier() {
    return OpaqueAuth.NONE;
  }
}
