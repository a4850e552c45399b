// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.security.CallProtector;
import java.util.Optional;

/**
 * What proves who makes a call that has a token of its own.
 *
 * @param token the caller's
 */
record TokenShown(String token) implements CallProtector {

  @Override
  public void protection(SecureChannel channel, Listener listener) {
    ((TokenChannel) channel).show(token, listener);
  }

  @Override
  public Optional<String> forget(Listener listener) {
    return Optional.of("The peer has not judged the call's token within the call's timeout");
  }
}
