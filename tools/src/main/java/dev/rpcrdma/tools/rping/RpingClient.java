// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.WorkCompletion;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;

/**
 * The client: makes the pings. Both its memories stay exposed for the whole connection; what it
 * advertises is the same in each ping.
 */
public final class RpingClient extends RpingEnd {

  private enum State {
    /** Until both memories are exposed. */
    EXPOSING,
    /** The source is advertised; the server reads it and says go ahead. */
    SOURCE_ADVERTISED,
    /** The sink is advertised; the server writes to it and says done. */
    SINK_ADVERTISED,
    /** All pings are made. */
    DONE
  }

  private static final int SOURCE = 0;
  private static final int SINK = 1;

  private final LocalMemory outbox;
  private final LocalMemory source;
  private final LocalMemory sink;
  private State state = State.EXPOSING;
  private int exposures;

  private RpingClient(Context context, RpingOptions options, LocalMemory outbox,
      LocalMemory inbox, LocalMemory source, LocalMemory sink) {
    super(context.owner(), options);
    this.outbox = outbox;
    this.source = source;
    this.sink = sink;
    inbox(inbox);
  }

  /**
   * Connects, makes all pings, and disconnects.
   *
   * @param device what to connect with
   * @param context whose event loop to use
   * @param server where the server listens
   * @param options how many pings, of what size
   * @return the report; or a {@link RpingException}, or what the device failed with
   */
  public static Future<RpingReport> run(VerbsDevice device, Context context,
      SocketAddress server, RpingOptions options) {
    ProtectionDomain domain = device.allocateProtectionDomain();
    Future<LocalMemory> outbox = register(domain, 2 * RpingInfo.BYTES);
    Future<LocalMemory> inbox = register(domain, RpingInfo.BYTES);
    Future<LocalMemory> source = register(domain, options.size());
    Future<LocalMemory> sink = register(domain, options.size());
    return Future.all(outbox, inbox, source, sink).compose(all -> {
      RpingClient client = new RpingClient(context, options, outbox.result(), inbox.result(),
          source.result(), sink.result());
      device.connect(context, server, domain,
          CONNECTION.withTimeout(options.timeout()), client::setUp)
          .onFailure(client::notConnected);
      return client.finished();
    }).eventually(domain::close);
  }

  @Override
  public void established() {
    queuePair().expose(SOURCE, source, 0, source.length(), Access.REMOTE_READ);
    queuePair().expose(SINK, sink, 0, sink.length(), Access.REMOTE_WRITE);
  }

  @Override
  public void exposed(Exposure exposure) {
    if (exposure.failure().isPresent()) {
      fail("Memory cannot be exposed: " + exposure.failure().get().getMessage());
      return;
    }
    new RpingInfo(exposure.remoteOffset(), exposure.steeringTag(), exposure.length())
        .put(outbox.buffer(), (int) exposure.owner() * RpingInfo.BYTES);
    if (++exposures == 2) {
      begin();
    }
  }

  private void begin() {
    RpingPattern.fill(source.buffer(), ping());
    advertise(SOURCE, State.SOURCE_ADVERTISED);
  }

  private void advertise(int which, State next) {
    state = next;
    queuePair().postSend(which, outbox, which * RpingInfo.BYTES, RpingInfo.BYTES);
    awaitPeer();
  }

  @Override
  void received(RpingInfo ignored) {
    switch (state) {
      case SOURCE_ADVERTISED -> advertise(SINK, State.SINK_ADVERTISED);
      case SINK_ADVERTISED -> end();
      default -> fail("The server sent a message when none was due");
    }
  }

  private void end() {
    awaitNobody();
    int size = options().size();
    if (options().verify() && !RpingPattern.matches(sink.buffer(), size, ping())) {
      fail("The data of ping " + ping() + " came back changed");
      return;
    }
    options().output().accept("ping data: " + RpingPattern.text(sink.buffer(), size));
    count(size);
    if (ping() == options().count()) {
      state = State.DONE;
      queuePair().close();
    } else {
      begin();
    }
  }

  @Override
  void done(WorkCompletion completion) {}

  @Override
  Optional<String> missing(DisconnectReason reason) {
    return state == State.DONE ? Optional.empty() : inThisPing(reason);
  }
}
