// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsListener;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;

/** The server: serves one client and refuses all others. */
public final class RpingServer {

  private final VerbsListener listener;
  private final Future<RpingReport> finished;

  private RpingServer(VerbsListener listener, Future<RpingReport> finished) {
    this.listener = listener;
    this.finished = finished;
  }

  /**
   * Listens for a client.
   *
   * @param device what to listen with
   * @param context whose event loop to use
   * @param address where; port 0 chooses a free one
   * @param options what to do with the pings
   * @return the server once it listens
   */
  public static Future<RpingServer> listen(VerbsDevice device, Context context,
      SocketAddress address, RpingOptions options) {
    ProtectionDomain domain = device.allocateProtectionDomain();
    Future<LocalMemory> outbox = RpingEnd.register(domain, RpingInfo.BYTES);
    Future<LocalMemory> inbox = RpingEnd.register(domain, RpingInfo.BYTES);
    Future<LocalMemory> data = RpingEnd.register(domain, RpingOptions.MAX_SIZE);
    return Future.all(outbox, inbox, data).compose(all -> {
      RpingSession session = new RpingSession(context, options, outbox.result(), inbox.result(),
          data.result());
      return device.listen(context, address, new OneClient(context, domain, session))
          .map(listener -> new RpingServer(listener, session.finished()
              .eventually(listener::close).eventually(domain::close)));
    }).recover(failure -> domain.close().transform(closed -> Future.failedFuture(failure)));
  }

  /**
   * Where it listens, with the port that was chosen.
   *
   * @return the local address
   */
  public SocketAddress localAddress() {
    return listener.localAddress();
  }

  /**
   * Completes when the client has disconnected and nothing listens any more.
   *
   * @return the report, or a {@link RpingException} if the client left in the middle or was wrong
   */
  public Future<RpingReport> finished() {
    return finished;
  }

  /** Accepts the first request. Called on the event loop of the context. */
  private static final class OneClient implements Handler<ConnectionRequest> {

    private final Context context;
    private final ProtectionDomain domain;
    private final RpingSession session;
    private boolean taken;

    OneClient(Context context, ProtectionDomain domain, RpingSession session) {
      this.context = context;
      this.domain = domain;
      this.session = session;
    }

    @Override
    public void handle(ConnectionRequest request) {
      if (taken) {
        request.reject(Buffer.buffer());
        return;
      }
      taken = true;
      request.accept(context, domain, RpingEnd.CONNECTION, session::setUp)
          .onFailure(session::notConnected);
    }
  }
}
