// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.Vertx;

/**
 * The provider {@code memory}: RDMA between the event loops of one process, without sockets, and with faults on
 * demand. Its settings are those of {@link MemoryOptions}; {@link MemoryFabric} makes trouble while a test runs.
 */
public final class MemoryProvider implements VerbsProvider {

  /** What {@link #name()} returns. */
  public static final String NAME = "memory";

  /** Creates the provider; does no work. */
  public MemoryProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  /** The lowest: nobody gets this provider without naming it as long as another one is usable. */
  @Override
  public int priority() {
    return Integer.MIN_VALUE;
  }

  @Override
  public ProviderStatus probe() {
    return ProviderStatus.usable("Memory of this process, for tests");
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    if (options.capture().isPresent()) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "The provider 'memory' has no packets to capture; use 'siw' for that");
    }
    return FabricDevice.open(vertx, MemoryOptions.of(options.settings()));
  }
}
