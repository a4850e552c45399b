// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.security.CallProtector;
import java.util.Optional;

/** What proves who makes a call that has a token of its own. On the loop of the connection. */
final class TokenShown implements CallProtector {

  private final String token;
  /** Null until it is asked. */
  private TokenChannel channel;

  TokenShown(String token) {
    this.token = token;
  }

  @Override
  public void protection(SecureChannel over, Listener listener) {
    channel = (TokenChannel) over;
    channel.show(token, listener);
  }

  @Override
  public Optional<String> forget(Listener listener) {
    channel.forget(listener);
    return Optional.of("The peer has not judged the call's token within the call's timeout");
  }
}
