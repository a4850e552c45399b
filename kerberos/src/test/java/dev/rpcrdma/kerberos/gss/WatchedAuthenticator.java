// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.Verdict;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/**
 * Tells somebody what another authenticator says at once.
 *
 * @param inner judges
 * @param watcher hears each verdict
 */
public record WatchedAuthenticator(Authenticator inner, BiConsumer<CallHeader, Verdict> watcher)
    implements Authenticator {

  @Override
  public Verdict judge(CallHeader call, ByteBuffer message, Listener later) {
    Verdict verdict = inner.judge(call, message, later);
    watcher.accept(call, verdict);
    return verdict;
  }

  @Override
  public Authenticator over(SecureChannel channel) {
    return new WatchedAuthenticator(inner.over(channel), watcher);
  }
}
