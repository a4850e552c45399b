// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.ProviderOptions;
import dev.rpcrdma.api.impl.memory.ShortVerticle;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is asked of a device before it is used. */
class SharedDeviceTest {

  private static SharedDevice.Opened opened(boolean tls) {
    VerbsDevice device = (VerbsDevice) Proxy.newProxyInstance(VerbsDevice.class.getClassLoader(),
        new Class<?>[] {VerbsDevice.class},
        (proxy, method, arguments) -> DeviceAttributes.builder().tls(tls).build());
    return new SharedDevice.Opened("acme", device, null, null, null, null);
  }

  @Test
  @DisplayName("A device that says nothing of TLS is not even asked, since it may not look for it")
  void tls() {
    assertThatThrownBy(() -> opened(false).checkTls(Optional.of("keys")))
        .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.kind())
            .isEqualTo(VerbsException.Kind.UNSUPPORTED)).hasMessageContaining("'acme' has no TLS");
    assertThatCode(() -> opened(false).checkTls(Optional.empty())).doesNotThrowAnyException();
    assertThatCode(() -> opened(true).checkTls(Optional.of("keys"))).doesNotThrowAnyException();
  }

  /** Fails if it is opened by a worker of who comes first, which ends with its verticle. */
  @Test
  @DisplayName("A device is opened, though the verticle that was the first to want it is gone")
  void openedWithoutVerticle() {
    Vertx vertx = Vertx.vertx();
    SharedDevice device = Waiting.await(ShortVerticle.begins(vertx, () -> Future.succeededFuture(
        SharedDevice.acquire(vertx, new ProviderOptions("siw", new JsonObject()), ""))));
    assertThat(Waiting.await(device.opened()).provider()).isEqualTo("siw");
    Waiting.await(device.release());
    Waiting.await(vertx.close());
  }
}
