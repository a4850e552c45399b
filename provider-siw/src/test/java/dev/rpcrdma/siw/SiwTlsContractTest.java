// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw;

import dev.rpcrdma.testkit.TestKeys;
import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.ServerSSLOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** Beneath mutual TLS, everything is as it is without. */
@DisplayName("siw over mutual TLS: the contract of all providers")
@Tag("large")
final class SiwTlsContractTest implements VerbsProviderContract {

  private static final TestKeys KEYS = TestKeys.forNames("ip:127.0.0.1,dns:localhost");
  private static final PfxOptions STORE = new PfxOptions(KEYS.pfx());

  @Override
  public VerbsProvider provider() {
    return new SecuredSiw(
        new ServerSSLOptions().setKeyCertOptions(STORE).setTrustOptions(KEYS.trusted())
            .setClientAuth(ClientAuth.REQUIRED),
        new ClientSSLOptions().setKeyCertOptions(STORE).setTrustOptions(KEYS.trusted()));
  }

  @Override
  public DeviceOptions deviceOptions() {
    // Ciphers are slow until they are compiled, and the contract closes behind a long message.
    return DeviceOptions.DEFAULT.withSettings(new JsonObject().put("closeTimeoutMillis", 20_000));
  }
}
