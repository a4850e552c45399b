package dev.rpcrdma.siw;

import dev.rpcrdma.siw.device.SiwDevice;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.Vertx;

/**
 * Software iWARP over TCP: usable on every machine, and the choice when nothing faster is there.
 * RDMA port numbers are TCP port numbers.
 */
public final class SiwProvider implements VerbsProvider {

  /** Creates the provider; does no work. */
  public SiwProvider() {}

  @Override
  public String name() {
    return "siw";
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public ProviderStatus probe() {
    return ProviderStatus.usable("Software iWARP over TCP, in this process");
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    return SiwDevice.open(vertx, SiwOptions.of(options.settings()), options.capture());
  }
}
