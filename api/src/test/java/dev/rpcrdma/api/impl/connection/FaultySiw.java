// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.fixture.TestProvider;
import dev.rpcrdma.testkit.DelayedCompletions;
import dev.rpcrdma.testkit.FaultPlan;
import dev.rpcrdma.testkit.FaultyProvider;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;

/** The embedded provider with late completions, whose steps fail by the current plan. */
public final class FaultySiw extends TestProvider {

  public static final String NAME = "siw-faulty";

  private static volatile FaultPlan plan = FaultPlan.none();

  /** Made by the service loader. */
  public FaultySiw() {
    super(NAME, "siw whose steps fail as planned, for tests");
  }

  /** For devices that are opened from now on. */
  public static void plan(FaultPlan next) {
    plan = next;
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    VerbsProvider late = new DelayedCompletions(VerbsProviders.named("siw"), 7, 3);
    return new FaultyProvider(late, plan).open(vertx, options);
  }
}
