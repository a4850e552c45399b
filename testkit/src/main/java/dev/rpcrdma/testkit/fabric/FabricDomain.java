package dev.rpcrdma.testkit.fabric;

import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A scope of memory. Safe for all threads. */
final class FabricDomain implements ProtectionDomain {

  private final Set<FabricMemory> memories = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  @Override
  public Future<LocalMemory> register(ByteBuffer memory, LocalMemory.Backing backing) {
    if (closed) {
      return closedFailure();
    }
    if (!memory.isDirect()) {
      return Future.failedFuture(new VerbsException(VerbsException.Kind.INVALID_ARGUMENT,
          "Only direct buffers can be registered; use ByteBuffer.allocateDirect"));
    }
    FabricMemory registered = new FabricMemory(this, memory.duplicate().clear(), backing);
    memories.add(registered);
    // A close at the same time may have looked before this one was there.
    return closed ? registered.deregister().compose(done -> closedFailure()) : Future.succeededFuture(registered);
  }

  private static Future<LocalMemory> closedFailure() {
    return Future.failedFuture(new VerbsException(VerbsException.Kind.CLOSED, "The protection domain is closed"));
  }

  void released(FabricMemory memory) {
    memories.remove(memory);
  }

  @Override
  public int registrations() {
    return memories.size();
  }

  @Override
  public Future<Void> close() {
    closed = true;
    List<Future<Void>> ending = memories.stream().map(FabricMemory::deregister).toList();
    return Future.all(ending).mapEmpty();
  }
}
