// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import io.vertx.core.Promise;

/** Asserts that what was registered and exposed is gone again. Called from a test's thread. */
public final class LeakCheck {

  private LeakCheck() {}

  /**
   * No registration is alive.
   *
   * @param domain whose
   */
  public static void assertNoRegistrations(ProtectionDomain domain) {
    assertThat(domain.registrations()).as("registrations alive").isZero();
  }

  /**
   * No exposure is alive. Asks on the queue pair's loop.
   *
   * @param queuePair whose
   */
  public static void assertNoExposures(QueuePair queuePair) {
    Promise<Integer> count = Promise.promise();
    queuePair.context().runOnContext(ignored -> count.complete(queuePair.exposures()));
    assertThat(Waiting.await(count.future())).as("exposures alive").isZero();
  }
}
