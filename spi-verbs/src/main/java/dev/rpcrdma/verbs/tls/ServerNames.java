// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.util.AsyncMapping;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.vertx.core.net.ServerSSLOptions;
import java.util.LinkedHashMap;
import java.util.Map;

/** The context for the name that a peer says (RFC 6066 §3). Used by several event loops. */
final class ServerNames implements AsyncMapping<String, SslContext> {

  /** Peers say what they like: the names of longest ago are forgotten. */
  private static final int NAMES = 16;

  private final ServerSSLOptions options;
  private final Credentials credentials;
  private final SslContext nameless;
  private final Map<String, SslContext> known = new LinkedHashMap<>(NAMES, 0.75f, true) {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, SslContext> eldest) {
      return size() > NAMES;
    }
  };

  /**
   * A choice by name.
   *
   * @param nameless for a peer that says no name, or one for which there is nothing
   */
  ServerNames(ServerSSLOptions options, Credentials credentials, SslContext nameless) {
    this.options = options;
    this.credentials = credentials;
    this.nameless = nameless;
  }

  @Override
  public Future<SslContext> map(String name, Promise<SslContext> promise) {
    try {
      return promise.setSuccess(name == null ? nameless : context(name));
    } catch (Throwable e) {
      return promise.setFailure(e);
    }
  }

  private synchronized SslContext context(String name) throws Exception {
    SslContext found = known.get(name);
    if (found == null) {
      found = SslContexts.server(options, credentials, name);
      if (found == null) {
        return nameless;
      }
      known.put(name, found);
    }
    return found;
  }
}
