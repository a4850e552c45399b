// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who has the contexts of a server, and for how long. */
class KerberosServerTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private KerberosServer acquire(String keytab) {
    return KerberosServer.acquire(vertx,
        new KerberosOptions().setPrincipal("nfs/localhost@EXAMPLE.ORG").setKeytab(keytab));
  }

  private static void assertEnded(KerberosServer server) {
    assertThatThrownBy(() -> server.threads().execute(() -> { })).isInstanceOf(RejectedExecutionException.class);
  }

  /** Fails if {@code KerberosServer.close} ends them too early, or never. */
  @Test
  @DisplayName("Servers with equal options share contexts until the last of them is closed")
  void shared() {
    KerberosServer first = acquire("/keytab");
    assertThat(acquire("/keytab")).isSameAs(first);
    KerberosServer other = acquire("/other");
    assertThat(other).isNotSameAs(first);
    first.close();
    assertThat(acquire("/keytab")).isSameAs(first);
    first.close();
    assertThat(first.authenticator()).isNotNull();
    first.close();
    KerberosServer next = acquire("/keytab");
    assertThat(next).isNotSameAs(first);
    other.threads().execute(() -> { });
    other.close();
    next.threads().execute(() -> { });
    next.close();
    assertEnded(next);
  }
}
