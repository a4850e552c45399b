// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.fixture.TestProvider;
import dev.rpcrdma.testkit.DelayedCompletions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;

/** The embedded provider, whose Sends complete late; found by name. */
public final class DelayedSiw extends TestProvider {

  public static final String NAME = "siw-delayed";

  /** Made by the service loader. */
  public DelayedSiw() {
    super(NAME, "siw with late completions, for tests");
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    return new DelayedCompletions(VerbsProviders.named("siw"), 42, 20).open(vertx, options);
  }
}
