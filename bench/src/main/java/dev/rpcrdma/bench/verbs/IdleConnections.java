// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.verbs;

import dev.rpcrdma.bench.measure.Crowd;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Many connections that do nothing. */
public final class IdleConnections implements AutoCloseable {

  private final Context context;
  private final VerbsDevice device;
  private final ProtectionDomain domain;
  private final LocalMemory receives;
  private final List<QueuePair> pairs = Collections.synchronizedList(new ArrayList<>());

  /**
   * Opens the device; the Receives of all connections share their memory, as nothing arrives.
   *
   * @param vertx one of whose event loops gets the connections
   */
  public IdleConnections(Vertx vertx) {
    this.context = vertx.getOrCreateContext();
    this.device = VerbsProviders.named("siw").open(vertx, DeviceOptions.DEFAULT);
    this.domain = device.allocateProtectionDomain();
    this.receives = Wire.memory(domain, IdleEnd.RECEIVES * Wire.SMALL);
  }

  /**
   * Connects.
   *
   * @param port where the peer's device listens
   * @param count how many connections
   */
  public void open(int port, int count) {
    SocketAddress address = SocketAddress.inetSocketAddress(port, Wire.HOST);
    Crowd.of(count, () -> device.connect(context, address, domain, ConnectionOptions.DEFAULT,
        pair -> new IdleEnd(pair, receives)).onSuccess(pairs::add));
  }

  @Override
  public void close() {
    Waits.await(device.close());
  }
}
