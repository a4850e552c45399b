package dev.rpcrdma.api;

import dev.rpcrdma.testkit.DelayedCompletions;
import dev.rpcrdma.testkit.FaultPlan;
import dev.rpcrdma.testkit.FaultyProvider;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;

/** The embedded provider with late completions, whose steps fail by the current plan. */
public final class FaultySiw implements VerbsProvider {

  static final String NAME = "siw-faulty";

  private static volatile FaultPlan plan = FaultPlan.none();

  /** For devices that are opened from now on. */
  static void plan(FaultPlan next) {
    plan = next;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int priority() {
    return -2;
  }

  @Override
  public ProviderStatus probe() {
    return ProviderStatus.usable("siw whose steps fail as planned, for tests");
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    VerbsProvider late = new DelayedCompletions(VerbsProviders.named("siw"), 7, 3);
    return new FaultyProvider(late, plan).open(vertx, options);
  }
}
