// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Disconnected;
import dev.rpcrdma.testkit.RecordingHandler.Exposed;
import dev.rpcrdma.testkit.RecordingHandler.Revoked;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * All that two peers do with each other, from listening to the end of the device, as far as it goes: a message, a Read
 * and a revocation. What fails is noted. Whatever happens, each future completes.
 */
final class Conversation {

  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final List<Future<?>> futures = new CopyOnWriteArrayList<>();

  private final ConnectionOptions options;

  private Conversation(ConnectionOptions options) {
    this.options = options;
  }

  /** What has failed: each a {@link VerbsException}, or what a post throws that comes too late. */
  List<Throwable> failures() {
    return failures;
  }

  /** What was said of failures and of the connection's ends. */
  String told() {
    return String.join("\n", told);
  }

  /** Talks over a device that is open, and closes it. */
  static Conversation over(VerbsBed bed) {
    return over(bed, ConnectionOptions.DEFAULT);
  }

  /** Talks with other options of both sides. */
  static Conversation over(VerbsBed bed, ConnectionOptions options) {
    Conversation talk = new Conversation(options);
    Peer client = bed.client();
    Peer server = bed.server();
    try (bed) {
      talk.talk(bed, client, server);
    } catch (VerbsException | IllegalStateException e) {
      talk.failures.add(e);
    }
    talk.futures.forEach(future -> {
      assertThat(future.isComplete()).as("each future has completed").isTrue();
      if (future.failed()) {
        talk.failures.add(future.cause());
      }
    });
    for (Peer peer : List.of(client, server)) {
      peer.handler().events().stream().filter(Disconnected.class::isInstance)
          .forEach(event -> talk.told.add(((Disconnected) event).reason().detail()));
    }
    talk.failures.forEach(failure -> talk.told.add(failure.getMessage()));
    return talk;
  }

  private <T> T noted(Future<T> future) {
    futures.add(future);
    return Waiting.await(future);
  }

  private void talk(VerbsBed bed, Peer client, Peer server) {
    LocalMemory inbox = server.receive(1, 64);
    server.receive(2, 64);
    VerbsListener listener = noted(bed.device().listen(bed.context(), bed.anyPort(), request ->
        futures.add(bed.accept(request, server, options))));
    Future<QueuePair> connecting = bed.connect(listener.localAddress(), client, options);
    noted(connecting);
    byte[] text = {1, 2, 3};
    client.send(1, text);
    server.handler().completion(Opcode.RECEIVE);
    assertThat(Peer.bytes(inbox, 0, 3)).isIn(text, new byte[3]);
    Exposure exposure = server.expose(server.memory(1000), Access.REMOTE_READ);
    exposure.failure().ifPresent(failures::add);
    LocalMemory sink = client.memory(2000);
    client.post(owned -> {
      owned.postRead(3, sink, 0, 1000, exposure.steeringTag(), exposure.remoteOffset());
      owned.postSend(4, sink, 0, 64);
    });
    client.handler().completion(Opcode.READ);
    client.handler().completion(Opcode.SEND);
    server.run(owned -> owned.revoke(exposure));
    server.handler().next(Revoked.class);
    client.run(owned -> owned.expose(77, sink, 0, 8, Access.REMOTE_WRITE));
    client.handler().next(Exposed.class).exposure().failure().ifPresent(failures::add);
    noted(client.close());
    server.awaitDisconnected();
    client.awaitDisconnected();
    noted(listener.close());
  }

}
