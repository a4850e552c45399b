// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.spi.endpoint.EndpointBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Endpoints that are made of what a directory knows. */
class ProgramServersTest {

  private static final int PROGRAM = 0x20060001;

  private final Vertx vertx = Vertx.vertx();
  private final FakeMap map = new FakeMap();
  private final Directory directory = new Directory(vertx.getOrCreateContext(),
      DirectoryOptions.DEFAULT.withRefresh(Duration.ofHours(1)), map);
  private final ProgramServers<List<String>> servers =
      new ProgramServers<>(ProgramAddress.of(PROGRAM, 1), new Keys(List.of()), directory);

  /** An endpoint is the list of its keys. */
  private record Keys(List<String> keys) implements EndpointBuilder<List<String>, ListedServer> {

    @Override
    public EndpointBuilder<List<String>, ListedServer> addServer(ListedServer server, String key) {
      List<String> more = new ArrayList<>(keys);
      more.add(key);
      return new Keys(more);
    }

    @Override
    public List<String> build() {
      return new ArrayList<>(keys);
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private void read(String instance, long sequence) {
    map.entries.put(instance, EntryText.write(
        ClusterPictureTest.entry(instance, sequence, false, 7 + instance.charAt(0), 1_000_000_000)));
    Waiting.await(directory.refresh());
  }

  /** Fails if {@code ProgramServers.build} makes an endpoint of servers that are the same, or none of others. */
  @Test
  @DisplayName("What a load balancer knows of servers stays as long as the servers are the same")
  void sameServers() {
    assertThat(servers.isValid()).isFalse();
    read("a", 1);
    List<String> endpoint = servers.endpoint();
    assertThat(servers.isValid()).isTrue();
    assertThat(endpoint).containsExactly("a");
    read("a", 2);
    assertThat(servers.endpoint()).isSameAs(endpoint);
    read("b", 1);
    assertThat(servers.endpoint()).containsExactly("a", "b");
  }
}
