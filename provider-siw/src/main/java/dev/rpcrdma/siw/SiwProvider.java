// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import dev.rpcrdma.siw.device.SiwDevice;
import dev.rpcrdma.verbs.DeviceDescription;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * Software iWARP over TCP: usable on every machine, and the choice when nothing faster is there.
 * RDMA port numbers are TCP port numbers.
 */
public final class SiwProvider implements VerbsProvider {

  private static final String DESCRIPTION = "Software iWARP over TCP, in this process";

  /** Creates the provider; does no work. */
  public SiwProvider() {}

  @Override
  public String name() {
    return SiwDevice.NAME;
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public ProviderStatus probe() {
    return ProviderStatus.usable(DESCRIPTION);
  }

  @Override
  public List<DeviceDescription> devices() {
    return List.of(new DeviceDescription(SiwDevice.NAME, DESCRIPTION, SiwDevice.ATTRIBUTES));
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    return SiwDevice.open(vertx, SiwOptions.of(options.settings()), options.capture());
  }
}
