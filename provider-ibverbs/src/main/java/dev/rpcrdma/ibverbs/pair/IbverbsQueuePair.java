// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.memory.IbverbsExposure;
import dev.rpcrdma.ibverbs.memory.Revocations;
import dev.rpcrdma.ibverbs.memory.SharedDomain;
import dev.rpcrdma.ibverbs.memory.SharedMemory;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.QueuePairSetup;
import dev.rpcrdma.verbs.TransportFact;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostQueuePair;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.stream.Stream;

/** A queue pair: checks what the consumer posts and hands it to its {@link IbverbsConnection}. */
final class IbverbsQueuePair extends HostQueuePair {

  private final IbverbsConnection connection;
  private final Revocations revocations;
  private Buffer privateData = Buffer.buffer();
  private int outboundReads;
  private List<TransportFact> facts = List.of();

  IbverbsQueuePair(Context context, SharedDomain domain, IbverbsConnection connection, Revocations revocations,
      SocketAddress localAddress, SocketAddress remoteAddress) {
    super(context, domain, connection.life().gate(), localAddress, remoteAddress);
    this.connection = connection;
    this.revocations = revocations;
  }

  IbverbsConnection connection() {
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
    connection.life().setUp(() -> setup.setup(this));
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
        Stream.of(new TransportFact("revocations", revocations.describe()))).toList();
  }

  @Override
  protected boolean isOpen() {
    return connection.isOpen();
  }

  @Override
  protected boolean isReceiveQueueFull() {
    return connection.receives().isFull();
  }

  @Override
  protected boolean isSendQueueFull() {
    return connection.sends().isFull();
  }

  @Override
  protected int reads() {
    return connection.sends().reads();
  }

  @Override
  protected void receive(long id, HostMemory sink, int offset, int length) {
    connection.receives().post(id, (SharedMemory) sink, offset, length, connection.reachesDevice(),
        connection.isOpen());
    connection.receivePosted();
  }

  @Override
  protected void request(long id, Opcode opcode, HostMemory memory, int offset, int length, int tag,
      long remoteOffset, boolean invalidate) {
    connection.sends().post(id, opcode, (SharedMemory) memory, offset, length, tag, remoteOffset, invalidate,
        connection.reachesDevice(), connection.receives().posted());
  }

  @Override
  protected void ring() {
    connection.flush();
  }

  @Override
  protected Exposure exposeChecked(Object owner, HostMemory memory, int offset, int length, Access access) {
    return connection.exposures().expose(owner, (SharedMemory) memory, offset, length, access);
  }

  @Override
  protected Exposure exposeNothing(Object owner, int length, VerbsException why) {
    return connection.exposures().failed(owner, length, why);
  }

  @Override
  protected boolean isOwn(Exposure exposure) {
    return exposure instanceof IbverbsExposure own && connection.exposures().has(own);
  }

  @Override
  protected void revokeChecked(Exposure exposure) {
    connection.revoke((IbverbsExposure) exposure);
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
