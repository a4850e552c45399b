// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.ProviderOptions;
import dev.rpcrdma.api.RpcOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.stream.Stream;

/** The devices of a server that listens on several. */
public final class Devices {

  private final List<SharedDevice> all;

  private Devices(List<SharedDevice> all) {
    this.all = all;
  }

  /**
   * The providers of a client or server.
   *
   * @throws IllegalArgumentException if all of them would write the same capture
   */
  public static List<ProviderOptions> providers(RpcOptions<?> options) {
    List<ProviderOptions> providers = options.providersInOrder();
    if (providers.size() > 1 && !options.getCapture().isEmpty()) {
      throw new IllegalArgumentException("capture takes the traffic of one provider, not of " + providers.size());
    }
    return providers;
  }

  /** Joins their users, or becomes the first; each calls {@link #release} once. */
  public static Devices acquire(Vertx vertx, RpcOptions<?> options) {
    return new Devices(providers(options).stream()
        .map(provider -> SharedDevice.acquire(vertx, provider, options.getCapture())).toList());
  }

  /** All of them, in their order; fails if one cannot be opened. */
  public Future<List<SharedDevice.Opened>> opened() {
    List<Future<SharedDevice.Opened>> each = all.stream().map(SharedDevice::opened).toList();
    return Future.all(each).map(done -> each.stream().map(Future::result).toList());
  }

  /** The names of those that are open, in their order. */
  public List<String> names() {
    return open().map(opened -> opened.device().name()).toList();
  }

  /** Those that are open, in their order. */
  public Stream<SharedDevice.Opened> open() {
    return all.stream().map(SharedDevice::opened).filter(Future::succeeded).map(Future::result);
  }

  /** Leaves; the last user of each closes it. */
  public Future<Void> release() {
    return Future.join(all.stream().map(SharedDevice::release).toList()).mapEmpty();
  }
}
