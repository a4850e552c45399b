// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ClientTls;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ListenOptions;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.ServerTls;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.tls.TlsLoader;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.SocketAddress;

/** The provider siw, whose connections are all beneath TLS. */
final class SecuredSiw implements VerbsProvider {

  private final VerbsProvider siw = new SiwProvider();
  private final ServerSSLOptions serving;
  private final ClientSSLOptions connecting;

  SecuredSiw(ServerSSLOptions serving, ClientSSLOptions connecting) {
    this.serving = serving;
    this.connecting = connecting;
  }

  @Override
  public String name() {
    return siw.name();
  }

  @Override
  public int priority() {
    return siw.priority();
  }

  @Override
  public ProviderStatus probe() {
    return siw.probe();
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    return new Device(siw.open(vertx, options), Waiting.await(TlsLoader.server(vertx, serving)),
        Waiting.await(TlsLoader.client(vertx, connecting)));
  }

  private record Device(VerbsDevice siw, ServerTls server, ClientTls client) implements VerbsDevice {

    @Override
    public String name() {
      return siw.name();
    }

    @Override
    public DeviceAttributes attributes() {
      return siw.attributes();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
      return siw.allocateProtectionDomain();
    }

    @Override
    public Future<VerbsListener> listen(Context context, SocketAddress address, ListenOptions options,
        Handler<ConnectionRequest> handler) {
      return siw.listen(context, address, options.withTls(() -> server), handler);
    }

    @Override
    public Future<QueuePair> connect(Context context, SocketAddress remote, ProtectionDomain domain,
        ConnectionOptions options, QueuePairSetup setup) {
      return siw.connect(context, remote, domain, options.withTls(client), setup);
    }

    @Override
    public Future<Void> close() {
      return siw.close();
    }
  }
}
