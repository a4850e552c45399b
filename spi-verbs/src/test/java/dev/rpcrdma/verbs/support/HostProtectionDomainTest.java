// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Registering beside closing. */
@DisplayName("siw: protection domain")
final class ProtectionDomainTest {

  private static final int ROUNDS = 20_000;

  /** Fails if memory is added without another look at whether the domain is closed. */
  @Test
  @DisplayName("What is registered while the domain closes is refused, or is gone with it")
  void registerRacesWithClose() throws Exception {
    ByteBuffer memory = ByteBuffer.allocateDirect(8);
    AtomicReference<HostProtectionDomain> domain = new AtomicReference<>();
    AtomicReference<Future<LocalMemory>> registered = new AtomicReference<>();
    CyclicBarrier barrier = new CyclicBarrier(2);
    Thread other = new Thread(() -> {
      try {
        for (int i = 0; i < ROUNDS; i++) {
          barrier.await(10, TimeUnit.SECONDS);
          registered.set(domain.get().register(memory, LocalMemory.Backing.MEMORY));
          barrier.await(10, TimeUnit.SECONDS);
        }
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
    domain.set(new HostProtectionDomain());
    other.start();
    for (int i = 0; i < ROUNDS; i++) {
      HostProtectionDomain current = new HostProtectionDomain();
      domain.set(current);
      barrier.await(10, TimeUnit.SECONDS);
      Future<Void> closed = current.close();
      barrier.await(10, TimeUnit.SECONDS);
      assertThat(closed.succeeded()).isTrue();
      assertThat(current.registrations()).as("round %d", i).isZero();
      if (registered.get().failed()) {
        assertThat(registered.get().cause()).isInstanceOf(VerbsException.class);
      }
    }
    other.join();
  }
}
