// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.FakeFabric.Role;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.queue.IbverbsReceiveQueue;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A loop that is kept awake looks at completion queues itself: nothing is armed, and no event is raised. */
@NeedsRdmaHeaders
class PollingTest {

  private static final int MESSAGES = 100;
  private static final String ARM = "ibv_req_notify_cq";

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  private VerbsBed bed(int micros) {
    return new VerbsBed(fabric.provider(),
        DeviceOptions.DEFAULT.withSettings(new JsonObject().put("busyPollMicros", micros)));
  }

  private static void exchange(VerbsBed.Pair pair) {
    for (int i = 0; i < MESSAGES; i++) {
      pair.server().receive(i, 64);
      pair.client().send(i, new byte[] {(byte) i});
      assertThat(pair.server().handler().completion(Opcode.RECEIVE).byteLength()).isEqualTo(1);
    }
  }

  private long arms(VerbsBed.Pair pair) {
    long before = fabric.control().fakeCalls(ARM);
    exchange(pair);
    return fabric.control().fakeCalls(ARM) - before;
  }

  /** Fails if {@code IbverbsConnection.poll} arms a queue that the loop looks at. */
  @Test
  @DisplayName("While the loop is kept awake no queue is armed; as soon as it sleeps each is")
  void awake() {
    try (VerbsBed bed = bed(1_000_000)) {
      VerbsBed.Pair pair = bed.connect();
      assertThat(arms(pair)).as("each message could raise an event at both ends").isLessThan(MESSAGES / 4);
      long before = fabric.control().fakeCalls(ARM);
      Waiting.until(() -> fabric.control().fakeCalls(ARM) > before);
      exchange(pair);
    }
  }

  @Test
  @DisplayName("Without polling each completion raises an event")
  void asleep() {
    try (VerbsBed bed = bed(0)) {
      assertThat(arms(bed.connect())).isGreaterThanOrEqualTo(MESSAGES);
    }
  }

  /** Fails if {@code IbverbsConnection.poll} does not look once more behind arming. */
  @Test
  @DisplayName("What comes between the last look and the arming is found")
  void drainArmDrain() {
    try (VerbsBed bed = bed(0)) {
      Peer server = bed.server();
      server.receive(1, 64);
      server.receive(2, 64);
      bed.connect(bed.client(), server);
      long before = fabric.control().fakeCalls(ARM);
      fabric.control().fakeHold(ARM, 1);
      completeReceive(0);
      Waiting.until(() -> fabric.control().fakeCalls(ARM) > before);
      completeReceive(1);
      fabric.control().fakeHold(ARM, 0);
      assertThat(server.handler().completion(Opcode.RECEIVE).id()).isEqualTo(1);
      assertThat(server.handler().completion(Opcode.RECEIVE).id()).isEqualTo(2);
    }
  }

  /** Fails if {@code CompletionChannel.ready} goes on for as long as there are events. */
  @Test
  @DisplayName("A loop whose messages each bring the next comes to its other tasks")
  void otherTasks() {
    int most = 2_000;
    try (VerbsBed bed = bed(0)) {
      Peer server = bed.server();
      LocalMemory inbox = server.memory(64);
      server.onSetup(created -> {
        for (int i = 0; i < most; i++) {
          created.postReceive(i, inbox, 0, 64);
        }
      });
      AtomicInteger received = new AtomicInteger();
      AtomicInteger before = new AtomicInteger();
      server.handler().reaction(event -> {
        if (event instanceof Completed && before.get() == 0 && received.incrementAndGet() < most) {
          completeReceive(received.get());
          if (received.get() == 1) {
            Vertx.currentContext().runOnContext(later -> before.set(received.get()));
          }
        }
      });
      bed.connect(bed.client(), ConnectionOptions.DEFAULT, server, ConnectionOptions.DEFAULT.withQueueDepths(8, most));
      completeReceive(0);
      Waiting.until(() -> before.get() > 0);
      assertThat(before.get()).isLessThan(most);
    }
  }

  private void completeReceive(long number) {
    fabric.control().fakeComplete(Role.ACCEPTS.ordinal(), IbverbsReceiveQueue.RECEIVE | number, Numbers.WC_SUCCESS, 8);
  }

  /** Fails if {@code IbverbsConnection.rest} does not poll. */
  @Test
  @DisplayName("A loop that goes to sleep all the time misses nothing")
  void noLostWakeUp() {
    try (VerbsBed bed = bed(1)) {
      VerbsBed.Pair pair = bed.connect();
      for (int i = 0; i < 5; i++) {
        exchange(pair);
      }
    }
  }

  /** Fails if a connection that has ended is looked at. */
  @Test
  @DisplayName("A connection that ends while its loop is kept awake is looked at no more")
  void ends() {
    try (VerbsBed bed = bed(1_000_000)) {
      VerbsBed.Pair first = bed.connect();
      exchange(first);
      Peer client = bed.client();
      Peer server = bed.server();
      VerbsBed.Pair second = bed.connect(client, server);
      exchange(second);
      Waiting.await(first.client().close());
      exchange(second);
    }
  }
}
