// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.FuzzInput;
import dev.rpcrdma.siw.memory.SiwExposure;
import dev.rpcrdma.siw.wire.DdpHeader;
import dev.rpcrdma.siw.wire.Fpdu;
import dev.rpcrdma.siw.wire.RdmapOpcode;
import dev.rpcrdma.siw.wire.ReadRequestHeader;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An endpoint among guarded memory, and a peer whose every move is chosen by an input: good
 * segments, good ones with a few bits changed, any segment in a good frame, any bytes. In between
 * this side posts, exposes, revokes and sends.
 *
 * <p>The input begins with the stream's settings, one byte each: role, CRC, markers,
 * ready-to-receive Send, size of the pieces.
 */
final class ReceiveBed {

  private static final int MOST_MOVES = 300;
  private static final int MEMORY = 256;
  private static final int FROM = 64;
  private static final int LENGTH = 128;
  private static final byte GUARD = 0x5A;
  private static final ByteBuffer STAGING = ByteBuffer.allocateDirect(1 << 16);
  private static final ByteBuffer OUT = ByteBuffer.allocateDirect(1 << 18);

  private final FuzzInput input;
  private final Machine machine;
  private final PeerFramer framer;
  private final boolean initiator;
  private final int piece;
  private final List<HostMemory> memories = new ArrayList<>();
  private final List<SiwExposure> exposures = new ArrayList<>();
  private final List<ByteBuffer> requests = new ArrayList<>();
  private int answersAsked;
  private long posted;
  private long bytesSent;
  private long moves;
  private boolean terminateSeen;

  // What a good peer would say next.
  private int sendSequence = 1;
  private int readSequence = 1;
  private int messageOffset;
  private int responseOffset;

  ReceiveBed(FuzzInput input) {
    this.input = input;
    initiator = input.flag();
    boolean crc = input.flag();
    boolean markers = input.flag();
    Rtr rtr = input.flag() ? Rtr.SEND : Rtr.WRITE;
    piece = input.choice(64);
    framer = new PeerFramer(markers);
    machine = new Machine(initiator, Agreements.of(crc, false, markers, 4, 4, rtr), 1,
        STAGING, OUT);
    expose(Access.REMOTE_WRITE);
    expose(Access.REMOTE_READ);
    post(Opcode.RECEIVE, LENGTH);
  }

  void run() {
    while (input.hasMore() && moves++ < MOST_MOVES) {
      move();
      checkGuards();
    }
    drain();
    machine.end();
    checkGuards();
    assertThat(machine.events.stream().filter(event -> !event.startsWith("TERMINATED")).count())
        .as("completions").isEqualTo(posted);
    assertThat(machine.endpoint.exposures().size()).as("exposures").isZero();
    assertThat(machine.revoked).as("answers to revocations").hasSize(answersAsked);
    machine.domain.close();
    assertThat(machine.domain.registrations()).as("registrations").isZero();
  }

  private void move() {
    switch (input.choice(16)) {
      case 0 -> feed(input.data(input.choice(64)));
      case 1 -> feed(framer.frame(input.data(input.choice(256))));
      case 2 -> drain();
      case 3 -> post(Opcode.RECEIVE, input.choice(LENGTH + 1));
      case 4 -> post(Opcode.READ, input.choice(LENGTH + 1));
      case 5 -> post(Opcode.SEND, input.choice(LENGTH + 1));
      case 6 -> post(Opcode.WRITE, input.choice(LENGTH + 1));
      case 7 -> expose(input.flag() ? Access.REMOTE_WRITE : Access.REMOTE_READ);
      case 8 -> revoke();
      case 9 -> machine.endpoint.nudge();
      case 10, 11 -> segment(RdmapOpcode.SEND);
      case 12 -> segment(RdmapOpcode.WRITE);
      case 13 -> segment(RdmapOpcode.READ_REQUEST);
      case 14 -> segment(RdmapOpcode.READ_RESPONSE);
      default -> segment(input.flag() ? RdmapOpcode.SEND_INVALIDATE : RdmapOpcode.TERMINATE);
    }
  }

  private HostMemory guarded() {
    byte[] guard = new byte[MEMORY];
    Arrays.fill(guard, GUARD);
    HostMemory memory = machine.memory(guard);
    memories.add(memory);
    return memory;
  }

  private void expose(Access access) {
    if (exposures.size() < 40) {
      exposures.add(machine.endpoint.exposures().expose(1, guarded(), FROM, LENGTH, access));
    }
  }

  private void revoke() {
    answersAsked++;
    machine.endpoint.exposures().revoke(exposure(), machine.revoked::add);
  }

  private SiwExposure exposure() {
    return exposures.get(input.choice(exposures.size()));
  }

  /** Keeps to the bounds that a connection sets its consumers: depths and ORD. */
  private void post(Opcode opcode, int length) {
    if (machine.fault != null || opcode == Opcode.READ
        && machine.endpoint.sendQueue().reads() == 4) {
      return;
    }
    if (opcode == Opcode.RECEIVE) {
      if (!machine.endpoint.receiveQueue().isFull()) {
        machine.endpoint.receiveQueue().post(posted++, guarded(), FROM, length);
      }
    } else if (!machine.endpoint.sendQueue().isFull()) {
      machine.endpoint.sendQueue().post(posted++, opcode, guarded(), FROM, length, 7, 9, false);
      machine.endpoint.sendQueue().ring();
    }
  }

  private void drain() {
    byte[] sent = machine.drain(128 + input.choice(256));
    bytesSent += sent.length;
    // Two segments at most for each post and each Read, and a Terminate.
    assertThat(bytesSent).as("bytes sent").isLessThan(1000 + 400 * moves);
    assertThat(terminateSeen && sent.length > 0).as("sent after a Terminate").isFalse();
    for (int at = 0; at < sent.length; ) {
      assertThat(terminateSeen).as("sent after a Terminate").isFalse();
      ByteBuffer ulpdu = ByteBuffer.wrap(sent, at + 2, (sent[at] & 0xFF) << 8 | sent[at + 1] & 0xFF)
          .slice();
      at += Fpdu.bytes(ulpdu.limit());
      terminateSeen = DdpHeader.opcode(ulpdu, 0) == RdmapOpcode.TERMINATE;
      if (DdpHeader.opcode(ulpdu, 0) == RdmapOpcode.READ_REQUEST) {
        requests.add(ulpdu);
      }
    }
    assertThat(terminateSeen && machine.fault == null).as("a Terminate without fault").isFalse();
  }

  /** A segment that is good in its place, then as many changes of its bytes as are chosen. */
  private void segment(int opcode) {
    ByteBuffer out = ByteBuffer.allocate(512);
    boolean last = input.choice(4) != 3;
    byte[] payload = input.data(input.choice(LENGTH + 8));
    switch (opcode) {
      case RdmapOpcode.WRITE -> {
        SiwExposure to = exposure();
        DdpHeader.putTagged(out, opcode, last, to.steeringTag(),
            to.remoteOffset() + input.choice(LENGTH));
        out.put(payload);
      }
      case RdmapOpcode.READ_REQUEST -> {
        SiwExposure of = exposure();
        DdpHeader.putUntagged(out, opcode, true, 0, 1, readSequence++, 0);
        ReadRequestHeader.put(out, 5, 6, input.choice(LENGTH + 8), of.steeringTag(),
            of.remoteOffset() + input.choice(4));
      }
      case RdmapOpcode.READ_RESPONSE -> response(out, last, payload);
      case RdmapOpcode.TERMINATE -> {
        DdpHeader.putUntagged(out, opcode, true, 0, 2, 1, 0);
        out.put(payload);
      }
      default -> {
        int tag = opcode == RdmapOpcode.SEND_INVALIDATE ? exposure().steeringTag() : 0;
        DdpHeader.putUntagged(out, opcode, last, tag, 0, sendSequence, messageOffset);
        out.put(payload);
        messageOffset = last ? 0 : messageOffset + payload.length;
        sendSequence += last ? 1 : 0;
      }
    }
    byte[] ulpdu = Arrays.copyOf(out.array(), out.position());
    for (int changes = input.choice(8) - 4; changes > 0; changes--) {
      ulpdu[input.choice(ulpdu.length)] ^= (byte) input.choice(256);
    }
    feed(framer.frame(ulpdu));
  }

  private void response(ByteBuffer out, boolean last, byte[] payload) {
    if (requests.isEmpty()) {
      DdpHeader.putTagged(out, RdmapOpcode.READ_RESPONSE, last, 1, 0);
      return;
    }
    ByteBuffer request = requests.get(0);
    int header = DdpHeader.UNTAGGED_BYTES;
    int left = (int) ReadRequestHeader.size(request, header) - responseOffset;
    int length = last ? left : Math.min(left, payload.length);
    DdpHeader.putTagged(out, RdmapOpcode.READ_RESPONSE, last,
        ReadRequestHeader.sinkTag(request, header),
        ReadRequestHeader.sinkOffset(request, header) + responseOffset);
    out.put(new byte[length]);
    responseOffset = last ? 0 : responseOffset + length;
    if (last) {
      requests.remove(0);
    }
  }

  private void feed(byte[] bytes) {
    int events = machine.events.size();
    boolean dead = machine.fault != null;
    int size = piece == 0 ? bytes.length : piece;
    for (int at = 0; at < bytes.length; at += size) {
      machine.feed(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size)));
    }
    assertThat(dead && machine.events.size() > events).as("delivered after a fault").isFalse();
  }

  private void checkGuards() {
    for (HostMemory memory : memories) {
      for (int i = 0; i < FROM; i++) {
        if (memory.buffer().get(i) != GUARD || memory.buffer().get(MEMORY - 1 - i) != GUARD) {
          throw new AssertionError("A byte outside of what was offered was written");
        }
      }
    }
  }
}
