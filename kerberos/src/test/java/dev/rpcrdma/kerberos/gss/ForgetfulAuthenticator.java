// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.Verdict;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Once, after some calls, all contexts are gone.
 *
 * @param first has the contexts until then
 * @param second has others afterwards
 * @param left how many calls there are until then
 */
public record ForgetfulAuthenticator(Authenticator first, Authenticator second, AtomicInteger left)
    implements Authenticator {

  /** Begins with the first. */
  public ForgetfulAuthenticator(Authenticator first, Authenticator second, int when) {
    this(first, second, new AtomicInteger(when));
  }

  @Override
  public Verdict judge(CallHeader call, ByteBuffer message, Listener later) {
    return (left.getAndDecrement() > 0 ? first : second).judge(call, message, later);
  }

  @Override
  public Authenticator over(SecureChannel channel) {
    return new ForgetfulAuthenticator(first.over(channel), second.over(channel), left);
  }
}
