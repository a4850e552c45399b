// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** Messages that are on their way for some time are within the contract. */
@DisplayName("memory with delays: the contract of all providers")
@Tag("slow")
final class MemoryDelayedContractTest implements VerbsProviderContract {

  @Override
  public VerbsProvider provider() {
    return new MemoryProvider();
  }

  @Override
  public DeviceOptions deviceOptions() {
    return DeviceOptions.DEFAULT.withSettings(new JsonObject().put("seed", 7).put("maxDelayMillis", 3));
  }
}
