// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.HealthChecks;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The health check of a directory. */
class ClusterHealthTest {

  private static JsonObject check(HealthChecks checks, String name) {
    return Waiting.await(checks.checkStatus(name)).toJson();
  }

  /** Fails if a directory is fresh whatever its age. */
  @Test
  @DisplayName("A directory of a cluster is up while it is read")
  void cluster() {
    try (RpcBed bed = new RpcBed("memory")) {
      Waiting.await(ClusterAdvertisement.publish(bed.vertx, bed.server));
      ClusterDirectory directory = ClusterDirectory.open(bed.vertx);
      HealthChecks checks = HealthChecks.create(bed.vertx)
          .register("cluster", ClusterHealthChecks.directory(directory));
      Waiting.until(() -> directory.servers().size() == 1);
      JsonObject up = check(checks, "cluster");
      assertThat(up.getString("status")).isEqualTo("UP");
      assertThat(up.getJsonObject("data").getInteger("servers")).isEqualTo(1);
      assertThat(up.getJsonObject("data").getLong("ageMillis")).isNotNegative();
      ClusterDirectory closed =
          ClusterDirectory.open(bed.vertx, DirectoryOptions.DEFAULT.withRefresh(Duration.ofMillis(10)));
      Waiting.until(closed::isFresh);
      Waiting.await(closed.close());
      assertThat(Waiting.awaitFailure(closed.refresh())).isInstanceOf(RpcClosedException.class);
      Waiting.until(() -> !closed.isFresh());
      checks.register("closed", ClusterHealthChecks.directory(closed));
      assertThat(check(checks, "closed").getString("status")).isEqualTo("DOWN");
    }
  }
}
