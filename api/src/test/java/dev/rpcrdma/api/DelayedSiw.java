package dev.rpcrdma.api;

import dev.rpcrdma.testkit.DelayedCompletions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;

/** The embedded provider, whose Sends complete late; found by name. */
public final class DelayedSiw implements VerbsProvider {

  static final String NAME = "siw-delayed";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int priority() {
    return -1;
  }

  @Override
  public ProviderStatus probe() {
    return ProviderStatus.usable("siw with late completions, for tests");
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    return new DelayedCompletions(VerbsProviders.named("siw"), 42, 20).open(vertx, options);
  }
}
