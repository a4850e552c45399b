// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.wire.TerminateMessage;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.Completion;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** An endpoint without a socket: takes and yields bytes, and notes what it tells. */
final class Machine implements StreamEvents {

  final HostProtectionDomain domain = new HostProtectionDomain();
  final List<String> events = new ArrayList<>();
  final List<SiwExposure> revoked = new ArrayList<>();
  final RdmapEndpoint endpoint;
  private final Completion completion = new Completion();
  private final ByteBuffer staging;
  private final ByteBuffer out;
  private int from;
  private int to;
  StreamFault fault;
  TerminateMessage terminate;

  Machine(boolean initiator) {
    this(initiator, 4, 4, Rtr.WRITE, 1);
  }

  Machine(boolean initiator, int ord, int ird, Rtr rtr, int firstSequence) {
    this(initiator, Agreements.of(true, false, false, ord, ird, rtr), firstSequence);
  }

  Machine(boolean initiator, MpaAgreement agreement, int firstSequence) {
    this(initiator, agreement, firstSequence, ByteBuffer.allocateDirect(1 << 16),
        ByteBuffer.allocateDirect(1 << 18));
  }

  /** With buffers that outlive the machine, for tests that make very many of them. */
  Machine(boolean initiator, MpaAgreement agreement, int firstSequence, ByteBuffer staging,
      ByteBuffer out) {
    this.staging = staging;
    this.out = out;
    endpoint = new RdmapEndpoint(initiator, agreement, 64, 64, this, revoked::add, firstSequence);
  }

  HostMemory memory(int length) {
    return (HostMemory) domain.register(ByteBuffer.allocateDirect(length),
        LocalMemory.Backing.MEMORY).result();
  }

  HostMemory memory(byte... contents) {
    HostMemory memory = memory(contents.length);
    memory.buffer().put(0, contents);
    return memory;
  }

  static byte[] bytes(HostMemory memory) {
    byte[] copy = new byte[memory.length()];
    memory.buffer().get(0, copy);
    return copy;
  }

  HostMemory receive(long id, int length) {
    HostMemory memory = memory(length);
    endpoint.receiveQueue().post(id, memory, 0, length);
    return memory;
  }

  SiwExposure expose(HostMemory memory, Access access) {
    return endpoint.exposures().expose(1, memory, 0, memory.length(), access);
  }

  void send(long id, HostMemory memory) {
    post(id, Opcode.SEND, memory, 0, 0, false);
  }

  void post(long id, Opcode opcode, HostMemory memory, int tag, long offset, boolean invalidate) {
    endpoint.sendQueue().post(id, opcode, memory, 0, memory.length(), tag, offset, invalidate);
    endpoint.sendQueue().ring();
  }

  /** Ends everything, as a lost connection does, and notes what was posted and not done. */
  void end() {
    endpoint.stop();
    endpoint.endExposures();
    while (endpoint.nextFlushed(completion)) {
      events.add(completion.opcode() + " " + completion.id() + " " + completion.status());
    }
  }

  /** Bytes arrive; after a fault they are dropped. */
  void feed(byte... bytes) {
    for (int done = 0; done < bytes.length; ) {
      int count = Math.min(bytes.length - done, staging.capacity() - to);
      staging.put(to, bytes, done, count);
      to += count;
      done += count;
      try {
        from = endpoint.receive(staging, from, to);
      } catch (StreamFault thrown) {
        fault = thrown;
        endpoint.fail(thrown);
        from = to;
      }
      byte[] rest = new byte[to - from];
      staging.get(from, rest);
      staging.put(0, rest);
      from = 0;
      to = rest.length;
    }
    while (endpoint.nextDone(completion)) {
      events.add(completion.opcode() + " " + completion.id());
    }
  }

  /** All that is to be sent, handed over. */
  byte[] drain(int maxUlpdu) {
    out.clear();
    while (endpoint.outbound().prepare(maxUlpdu)) {
      endpoint.encodeCopy(out);
    }
    endpoint.handedOver(endpoint.sendQueue().produced(), endpoint.responsesProduced());
    while (endpoint.nextDone(completion)) {
      events.add(completion.opcode() + " " + completion.id());
    }
    byte[] bytes = new byte[out.position()];
    out.get(0, bytes);
    return bytes;
  }

  @Override
  public void received(long id, int length, boolean invalidated, int tag) {
    events.add("RECEIVE " + id + " " + length + (invalidated ? " invalidated" : ""));
  }

  @Override
  public void readCompleted() {}

  @Override
  public void terminated(TerminateMessage message) {
    terminate = message;
    events.add("TERMINATED " + message);
  }
}
