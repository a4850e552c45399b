package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.memory.Revocations;
import dev.rpcrdma.ibverbs.memory.SharedDomain;
import dev.rpcrdma.ibverbs.memory.SharedMemory;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.stream.Stream;

/** A queue pair: checks what the consumer posts and hands it to its {@link Connection}. */
final class IbverbsQueuePair implements QueuePair {

  private final Context context;
  private final SharedDomain domain;
  private final Connection connection;
  private final Revocations revocations;
  private final SocketAddress localAddress;
  private final SocketAddress remoteAddress;
  private Buffer privateData = Buffer.buffer();
  private int outboundReads;
  private List<TransportFact> facts = List.of();

  IbverbsQueuePair(Context context, SharedDomain domain, Connection connection, Revocations revocations,
      SocketAddress localAddress, SocketAddress remoteAddress) {
    this.context = context;
    this.domain = domain;
    this.connection = connection;
    this.revocations = revocations;
    this.localAddress = localAddress;
    this.remoteAddress = remoteAddress;
  }

  Connection connection() {
    return connection;
  }

  /** What this side's device does. */
  void facts(List<TransportFact> ofDevice) {
    facts = ofDevice;
  }

  /** What the peer has said, once that is known. */
  void agreed(Buffer ofPeer, int reads) {
    privateData = ofPeer;
    outboundReads = reads;
  }

  /** What both have settled, once that is known. */
  void settled(TransportFact settled) {
    facts = Stream.concat(facts.stream(), Stream.of(settled)).toList();
  }

  /** Calls the consumer's setup; the queue pair takes nothing but Receives meanwhile. */
  void setUp(QueuePairSetup setup) {
    connection.setUp(() -> setup.setup(this));
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public SocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public SocketAddress remoteAddress() {
    return remoteAddress;
  }

  @Override
  public Buffer privateData() {
    return privateData.copy();
  }

  @Override
  public int outboundReads() {
    return outboundReads;
  }

  @Override
  public List<TransportFact> transportFacts() {
    return Stream.concat(facts.stream(),
        Stream.of(new TransportFact("revocations on the device", revocations.describe()))).toList();
  }

  @Override
  public void postReceive(long id, LocalMemory memory, int offset, int length) {
    connection.checkPost(true);
    SharedMemory sink = (SharedMemory) HostMemory.checkSink(memory, domain, offset, length);
    if (connection.receives().isFull()) {
      throw new IllegalStateException("The receive queue is full");
    }
    connection.countPost();
    connection.receives().post(id, sink, offset, length, connection.reachesDevice(), connection.isOpen());
    connection.receivePosted();
  }

  @Override
  public void postSend(long id, LocalMemory memory, int offset, int length) {
    post(id, Opcode.SEND, source(memory, offset, length), offset, length, 0, 0, false);
  }

  @Override
  public void postSendWithInvalidate(long id, LocalMemory memory, int offset, int length, int remoteTag) {
    post(id, Opcode.SEND, source(memory, offset, length), offset, length, remoteTag, 0, true);
  }

  @Override
  public void postWrite(long id, LocalMemory memory, int offset, int length, int remoteTag, long remoteOffset) {
    post(id, Opcode.WRITE, source(memory, offset, length), offset, length, remoteTag, remoteOffset, false);
  }

  @Override
  public void postRead(long id, LocalMemory memory, int offset, int length, int remoteTag, long remoteOffset) {
    connection.checkPost(false);
    SharedMemory sink = (SharedMemory) HostMemory.checkSink(memory, domain, offset, length);
    if (connection.sends().reads() >= outboundReads) {
      throw new IllegalStateException("All " + outboundReads + " Reads (ORD) are outstanding");
    }
    post(id, Opcode.READ, sink, offset, length, remoteTag, remoteOffset, false);
  }

  private SharedMemory source(LocalMemory memory, int offset, int length) {
    connection.checkPost(false);
    return (SharedMemory) HostMemory.check(memory, domain, offset, length);
  }

  private void post(long id, Opcode opcode, SharedMemory memory, int offset, int length, int tag, long remoteOffset,
      boolean invalidate) {
    if (connection.sends().isFull()) {
      throw new IllegalStateException("The send queue is full");
    }
    connection.countPost();
    connection.sends().post(id, opcode, memory, offset, length, tag, remoteOffset, invalidate,
        connection.reachesDevice(), connection.receives().posted());
  }

  @Override
  public void flush() {
    connection.checkPost(true);
    connection.flush();
  }

  @Override
  public Exposure expose(Object owner, LocalMemory memory, int offset, int length, Access access) {
    connection.checkPost(false);
    SharedMemory checked = (SharedMemory) HostMemory.check(memory, domain, offset, length);
    if (length == 0) {
      throw new VerbsException(VerbsException.Kind.INVALID_ARGUMENT, "At least one byte must be exposed");
    }
    connection.countPost();
    return connection.exposures().expose(owner, checked, offset, length, access);
  }

  @Override
  public void revoke(Exposure exposure) {
    connection.checkPost(false);
    connection.revoke(connection.exposures().check(exposure));
  }

  @Override
  public int exposures() {
    return connection.exposures().size();
  }

  @Override
  public Future<Void> close() {
    return connection.close();
  }
}
