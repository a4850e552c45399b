package dev.rpcrdma.siw;

import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;

/** Beneath mutual TLS, everything is as it is without. */
@DisplayName("siw over mutual TLS: the contract of all providers")
final class SiwTlsContractTest implements VerbsProviderContract {

  private static final TestKeys KEYS = TestKeys.forNames("ip:127.0.0.1,dns:localhost");

  @Override
  public VerbsProvider provider() {
    return new SiwProvider();
  }

  @Override
  public DeviceOptions deviceOptions() {
    JsonObject tls = new JsonObject().put("pfxKeyCertOptions", KEYS.pfx())
        .put("pemTrustOptions", KEYS.trust()).put("clientAuth", "REQUIRED");
    // Ciphers are slow until they are compiled, and the contract closes behind a long message.
    return DeviceOptions.DEFAULT.withSettings(
        new JsonObject().put("tls", tls).put("closeTimeoutMillis", 20_000));
  }
}
