// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.testkit.RecordingHandler.Completed;
import dev.rpcrdma.testkit.RecordingHandler.Disconnected;
import dev.rpcrdma.testkit.RecordingHandler.Established;
import dev.rpcrdma.testkit.RecordingHandler.Exposed;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One end of a connection as a test sees it: its queue pair, driven from the test's thread; its
 * memory; and what its handler has noted.
 */
public final class Peer {

  private final RecordingHandler handler = new RecordingHandler();
  private final ProtectionDomain domain;
  private final List<Consumer<QueuePair>> setups = new ArrayList<>();
  private volatile QueuePair queuePair;

  Peer(ProtectionDomain domain) {
    this.domain = domain;
  }

  /**
   * The setup to give to connect or accept.
   *
   * @param created the unconnected queue pair
   * @return this peer's handler
   */
  public QueuePairHandler setUp(QueuePair created) {
    queuePair = created;
    handler.loop(Thread.currentThread());
    handler.inside(() -> setups.forEach(setup -> setup.accept(created)));
    return handler;
  }

  /**
   * Adds to what this end does in setup.
   *
   * @param action called on the owning loop
   */
  public void onSetup(Consumer<QueuePair> action) {
    setups.add(action);
  }

  /**
   * Posts a Receive into new memory: in setup if not connected yet, else now.
   *
   * @param id of the Receive
   * @param length longest message
   * @return the memory
   */
  public LocalMemory receive(long id, int length) {
    LocalMemory memory = memory(length);
    if (queuePair == null) {
      onSetup(created -> created.postReceive(id, memory, 0, length));
    } else {
      run(owned -> owned.postReceive(id, memory, 0, length));
    }
    return memory;
  }

  /**
   * The queue pair, for what is called on its loop.
   *
   * @return the queue pair
   */
  public QueuePair queuePair() {
    return queuePair;
  }

  /**
   * The upcalls.
   *
   * @return the handler
   */
  public RecordingHandler handler() {
    return handler;
  }

  /**
   * This end's domain.
   *
   * @return the domain
   */
  public ProtectionDomain domain() {
    return domain;
  }

  /**
   * Registers new memory.
   *
   * @param length bytes, all zero
   * @return the memory
   */
  public LocalMemory memory(int length) {
    return Waiting.await(
        domain.register(ByteBuffer.allocateDirect(length), LocalMemory.Backing.MEMORY));
  }

  /**
   * Registers new memory with contents.
   *
   * @param contents the bytes
   * @return the memory
   */
  public LocalMemory memory(byte[] contents) {
    LocalMemory memory = memory(contents.length);
    memory.buffer().put(0, contents);
    return memory;
  }

  /**
   * Runs something on the owning loop and waits for it; watches that no upcall comes from inside.
   *
   * @param call what to run
   * @param <T> its result
   * @return its result; what it throws is thrown
   */
  public <T> T call(Function<QueuePair, T> call) {
    Promise<T> promise = Promise.promise();
    queuePair.context().runOnContext(ignored -> handler.inside(() -> {
      try {
        promise.complete(call.apply(queuePair));
      } catch (Throwable thrown) {
        promise.fail(thrown);
      }
    }));
    return Waiting.await(promise.future());
  }

  /**
   * Runs something on the owning loop and waits for it.
   *
   * @param action what to run
   */
  public void run(Consumer<QueuePair> action) {
    call(owned -> {
      action.accept(owned);
      return null;
    });
  }

  /**
   * Posts on the owning loop and flushes.
   *
   * @param posts what to post
   */
  public void post(Consumer<QueuePair> posts) {
    run(owned -> {
      posts.accept(owned);
      owned.flush();
    });
  }

  /**
   * Sends bytes and waits for the Send's completion.
   *
   * @param id of the work request
   * @param contents the message
   */
  public void send(long id, byte[] contents) {
    LocalMemory memory = memory(contents);
    post(owned -> owned.postSend(id, memory, 0, contents.length));
    handler.next(Completed.class, done -> done.opcode() == Opcode.SEND && done.id() == id);
  }

  /**
   * Exposes all of a memory and waits for the outcome.
   *
   * @param memory what to expose
   * @param access what for
   * @return the exposure
   */
  public Exposure expose(LocalMemory memory, Access access) {
    return expose(memory, 0, memory.length(), access);
  }

  /**
   * Exposes a range and waits for the outcome.
   *
   * @param memory what to expose
   * @param offset first byte
   * @param length bytes
   * @param access what for
   * @return the exposure
   */
  public Exposure expose(LocalMemory memory, int offset, int length, Access access) {
    run(owned -> owned.expose(42, memory, offset, length, access));
    return handler.next(Exposed.class).exposure();
  }

  /** Waits until the connection is up. */
  public void awaitEstablished() {
    handler.next(Established.class);
  }

  /**
   * Waits until the connection is gone.
   *
   * @return the upcall
   */
  public Disconnected awaitDisconnected() {
    return handler.next(Disconnected.class);
  }

  /**
   * How many exposures are alive.
   *
   * @return the number
   */
  public int exposures() {
    return call(QueuePair::exposures);
  }

  /**
   * Closes the queue pair.
   *
   * @return completes after {@code disconnected}
   */
  public Future<Void> close() {
    return queuePair.close();
  }

  /**
   * The bytes of a range.
   *
   * @param memory where
   * @param offset first byte
   * @param length bytes
   * @return a copy
   */
  public static byte[] bytes(LocalMemory memory, int offset, int length) {
    byte[] copy = new byte[length];
    memory.buffer().get(offset, copy);
    return copy;
  }
}
