// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.contexts;

import dev.rpcrdma.api.impl.mechanism.SecurityMechanism;
import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.verbs.base.ZonedAddress;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Map;

/** Serves the null procedure of programs over TCP. Belongs to one event loop. */
public final class ContextListener implements SecurityMechanism.Listening {

  private final Context loop;
  private final NetServer server;
  private final ProgramTable<Void> programs = new ProgramTable<>();
  private final Authenticator authenticator;
  private final SecurityMechanism.Admission admission;

  private ContextListener(Context loop, List<UpperLayerBinding> bindings, Authenticator authenticator,
      SecurityMechanism.Admission admission) {
    this.loop = loop;
    this.server = loop.owner().createNetServer();
    this.authenticator = authenticator;
    this.admission = admission;
    bindings.forEach(each -> programs.add(new UpperLayerBinding(each.name(), each.program(), each.version(), each.port(),
        Map.of()), null));
  }

  /**
   * Begins to listen.
   *
   * @param loop which it belongs to
   * @param address where; port 0 chooses a free one
   * @param bindings of the programs that answer
   * @param authenticator makes contexts, and knows them
   * @param admission bounds connections
   */
  public static Future<ContextListener> listen(Context loop, SocketAddress address,
      List<UpperLayerBinding> bindings, Authenticator authenticator, SecurityMechanism.Admission admission) {
    ContextListener listener = new ContextListener(loop, bindings, authenticator, admission);
    Promise<ContextListener> promise = Contexts.promise(loop);
    // Its connections are of the loop that it begins on.
    loop.runOnContext(begin -> listener.server.connectHandler(listener::connected)
        .listen(ZonedAddress.of(address)).map(listener).onComplete(promise));
    return promise.future();
  }

  private void connected(NetSocket socket) {
    SocketAddress address = socket.remoteAddress();
    if (!admission.enter(address)) {
      socket.close();
      return;
    }
    ContextConnection connection = new ContextConnection(loop, socket, programs, authenticator);
    socket.closeHandler(closed -> {
      admission.leave(address);
      connection.ended();
    });
    connection.begin();
  }

  @Override
  public int port() {
    return server.actualPort();
  }

  @Override
  public Future<Void> close() {
    return server.close();
  }
}
