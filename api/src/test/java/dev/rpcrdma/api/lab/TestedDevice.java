// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import dev.rpcrdma.api.fixture.TestProvider;
import dev.rpcrdma.testkit.FaultPlan;
import dev.rpcrdma.testkit.FaultyProvider;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

/**
 * The RDMA device that the system property {@code rpcrdma.device} names, in the lab's VM; its steps fail by the current
 * plan.
 */
public final class TestedDevice extends TestProvider {

  static final String NAME = "tested-device";
  private static final String DEVICE = "rpcrdma.device";

  private static volatile FaultPlan plan = FaultPlan.none();

  /** Made by the service loader. */
  public TestedDevice() {
    super(NAME, "an RDMA device for tests");
  }

  /** For devices that are opened from now on. */
  static void plan(FaultPlan next) {
    plan = next;
  }

  @Override
  public ProviderStatus probe() {
    return System.getProperty(DEVICE) == null
        ? ProviderStatus.unusable("An RDMA device for tests in the lab's VM.", "Name it by " + DEVICE + ".")
        : super.probe();
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    JsonObject device = new JsonObject().put("device", System.getProperty(DEVICE));
    return new FaultyProvider(VerbsProviders.named("ibverbs"), plan).open(vertx, options.withSettings(device));
  }
}
