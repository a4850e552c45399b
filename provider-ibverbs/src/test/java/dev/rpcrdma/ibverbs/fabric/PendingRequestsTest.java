// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsListener;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many connections of a listener may wait for an answer. */
@NeedsRdmaHeaders
@Timeout(60)
class PendingRequestsTest {

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  /** Fails if {@code Listener.requested} takes one more or one fewer, or keeps the place of one that was answered. */
  @Test
  @DisplayName("As many as maxPendingConnections wait; one more is rejected; one that is answered leaves its place")
  void bound() {
    try (VerbsBed bed = fabric.bed(new JsonObject().put("maxPendingConnections", 2))) {
      List<ConnectionRequest> requests = new CopyOnWriteArrayList<>();
      VerbsListener listener = bed.listen(requests::add);
      Future<QueuePair> first = connect(bed, listener);
      Waiting.until(() -> requests.size() == 1);
      connect(bed, listener);
      Waiting.until(() -> requests.size() == 2);
      Waiting.awaitFailure(connect(bed, listener));
      assertThat(requests).hasSize(2);
      Peer server = bed.server();
      bed.accept(requests.get(0), server, ConnectionOptions.DEFAULT);
      Waiting.await(first);
      server.awaitEstablished();
      connect(bed, listener);
      Waiting.until(() -> requests.size() == 3);
    }
  }

  private static Future<QueuePair> connect(VerbsBed bed, VerbsListener listener) {
    return bed.connect(listener.localAddress(), bed.client(), ConnectionOptions.DEFAULT);
  }
}
