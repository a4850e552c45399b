// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.mechanism;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Options of Kerberos where its module is not on the class path, as in the tests of this module. */
class MissingMechanismTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private static void assertMissing(ThrowingCallable create) {
    assertThatThrownBy(create).isInstanceOf(IllegalArgumentException.class)
        .hasMessage("kerberos needs the artifact vertx-rpcrdma-kerberos, which is not on the class path");
  }

  /** Fails if {@code RpcClientImpl} or {@code RpcServerImpl} looks for the mechanism only when it is needed. */
  @Test
  @DisplayName("Whoever asks for Kerberos hears at once which artifact brings it")
  void missing() {
    assertMissing(() -> RpcClient.create(vertx,
        new RpcClientOptions().setKerberos(new KerberosOptions().setService("orders"))));
    assertMissing(() -> RpcServer.create(vertx,
        new RpcServerOptions().setKerberos(new KerberosOptions().setKeytab("/etc/orders.keytab"))));
  }

  /** Fails if the mechanism is looked for before the options are judged. */
  @Test
  @DisplayName("What is wrong with the options is said first")
  void wrongOptions() {
    assertThatThrownBy(() -> RpcClient.create(vertx, new RpcClientOptions().setKerberos(new KerberosOptions())))
        .hasMessageContaining("kerberos does not say who is called");
  }
}
