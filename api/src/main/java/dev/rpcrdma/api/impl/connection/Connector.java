// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.impl.memory.MessageSlots;
import dev.rpcrdma.verbs.ClientTls;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes connections of either role: registers the slots for messages that come, lets the provider connect or
 * accept, and gives the slots back if nothing came of it.
 */
public final class Connector {

  private final Context context;
  private final RpcOptions<?> options;
  private final SharedDevice.Opened device;
  private final PeerMemory memory;

  /**
   * Creates a connector.
   *
   * @param memory what the connection has in common with others of the same peer
   */
  public Connector(Context context, RpcOptions<?> options, SharedDevice.Opened device,
      PeerMemory memory) {
    this.context = context;
    this.options = options;
    this.device = device;
    this.memory = memory;
  }

  /**
   * Connects.
   *
   * @param tls what the connection is secured by; empty for plaintext
   */
  public Future<RpcConnectionImpl> connect(SocketAddress address, Optional<ClientTls> tls,
      Consumer<RpcConnectionImpl> prepare) {
    try {
      device.checkTls(tls);
    } catch (VerbsException e) {
      return Future.failedFuture(e);
    }
    return make(true, OptionalInt.empty(), prepare, (negotiation, setup) -> {
      ConnectionOptions wanted = negotiation.connectionOptions();
      return device.device().connect(context, address, device.domain(), tls.map(wanted::withTls).orElse(wanted), setup);
    });
  }

  public Future<RpcConnectionImpl> accept(ConnectionRequest request,
      Consumer<RpcConnectionImpl> prepare) {
    AtomicBoolean accepted = new AtomicBoolean();
    return make(false, request.peerInboundReads(), prepare, (negotiation, setup) -> {
      accepted.set(true);
      return request.accept(context, device.domain(), negotiation.connectionOptions(), setup);
    }).onFailure(e -> {
      if (!accepted.get()) {
        // There is no memory for it: the peer hears so at once, and not by its own time-out.
        request.reject(Buffer.buffer());
      }
    });
  }

  private interface Establish {
    Future<QueuePair> establish(Negotiation negotiation, QueuePairSetup setup);
  }

  private Future<RpcConnectionImpl> make(boolean client, OptionalInt peersReads,
      Consumer<RpcConnectionImpl> prepare, Establish establish) {
    Negotiation negotiation = new Negotiation(options, client, memory.shown(),
        device.device().attributes(), peersReads);
    return device.sends().of(Contexts.eventLoop(context), negotiation.inlineSize())
        .compose(sends -> MessageSlots.register(context.owner(), Contexts.eventLoop(context), device.domain(),
                negotiation.receiveSlots(), negotiation.inlineSize())
            .map(receives -> new RpcConnectionImpl(context, negotiation, memory, device, sends,
                receives)))
        .compose(connection -> establish(connection, negotiation, prepare, establish));
  }

  private static Future<RpcConnectionImpl> establish(RpcConnectionImpl connection,
      Negotiation negotiation, Consumer<RpcConnectionImpl> prepare, Establish establish) {
    // Until setup has done its work, nobody else gives the slots back: without a handler the end of the
    // queue pair is told to no one.
    AtomicBoolean setUp = new AtomicBoolean();
    prepare.accept(connection);
    Function<QueuePair, RpcConnectionImpl> connected = pair -> connection;
    return establish.establish(negotiation, pair -> {
      QueuePairHandler handler = connection.setup(pair);
      setUp.set(true);
      return handler;
    }).map(connected).recover(e -> {
      Future<Void> released =
          setUp.get() ? connection.closeFuture() : connection.releaseSlots();
      return released.transform(done -> Future.failedFuture(e));
    });
  }
}
