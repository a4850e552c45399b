// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.FuzzInput;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.XdrException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * A machine, its application and its peer, each move of theirs chosen by an input. The peer's
 * messages have well-formed headers with chosen fields, or are any bytes; some bits of them may be
 * changed. The application calls, gives up, serves and refuses; the fabric answers now or later.
 */
final class PeerMoves {

  private static final int MOST_MOVES = 200;
  private static final int MESSAGE_BYTES = 1024;
  private static final int PROGRAM = 9;
  private static final int FIRST_WITH_METADATA = 0xE0;

  private final FuzzInput input;
  private final MachineBed bed;
  private final boolean metadata;
  private final List<MachineBed.Heard> outcomes = new ArrayList<>();
  private final List<TestCall> handles = new ArrayList<>();

  PeerMoves(FuzzInput input, boolean client) {
    this.input = input;
    // Half of the inputs have large replies, both ways, and some have metadata.
    int features = input.choice(256);
    boolean largeReplies = features % 2 == 1;
    this.metadata = features >= FIRST_WITH_METADATA;
    this.bed = new MachineBed(
        MachineBed.like(client).largeReplies(largeReplies, largeReplies).metadata(metadata));
  }

  void run() {
    int moves = 0;
    while (input.hasMore() && moves++ < MOST_MOVES && bed.disconnected.isEmpty()) {
      move();
      // who has more than twice what was granted loses the connection.
      assertThat(bed.machine.activeCalls()).as("calls being served")
          .isLessThanOrEqualTo(2 * MachineBed.GRANTED);
    }
    // A Send each for a call, a reply and a fault, a Write for each of the segments.
    assertThat(bed.sent.size()).as("posts").isLessThanOrEqualTo(25 * moves);
    bed.held = false;
    bed.lose("the end");
    bed.settle();
    bed.endServices();
    assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.events).hasSize(1));
    bed.checkAtRest();
  }

  private void move() {
    switch (input.choice(16)) {
      case 0 -> bed.receive(ByteBuffer.wrap(input.data(input.choice(256))), OptionalInt.empty());
      case 1 -> call();
      case 2 -> serve();
      case 3 -> refuse();
      case 4 -> advance();
      case 5 -> cancel();
      case 6 -> bed.readsFail = input.flag();
      case 7 -> bed.memoryFails = input.flag();
      case 8 -> hold();
      case 9 -> bed.answer();
      default -> receive();
    }
  }

  private void call() {
    MachineBed.Heard outcome = new MachineBed.Heard();
    outcomes.add(outcome);
    Integer[] placed = new Integer[input.choice(3)];
    Arrays.setAll(placed, i -> input.choice(256) * 16);
    handles.add(bed.handle(outcome, input.choice(256) * 10, placed));
  }

  private void cancel() {
    if (!handles.isEmpty()) {
      handles.get(input.choice(Math.min(256, handles.size()))).cancel(bed.now);
      bed.settle();
    }
  }

  private void advance() {
    bed.now += input.choice(64) * MachineBed.SECOND / 8;
    bed.deadlines.advance(bed.now);
    bed.settle();
  }

  private void hold() {
    bed.held = !bed.held;
    bed.settle();
  }

  /** Reads the arguments as some service would, and answers. */
  private void serve() {
    if (bed.incoming.isEmpty()) {
      return;
    }
    // Also if nobody waits for the answer: the arguments stay readable until it is given.
    IncomingCall call = bed.incoming.remove(0);
    try {
      if (input.flag()) {
        call.arguments().int32();
      }
      call.arguments().dataItem(10_000).toByteArray();
      call.arguments().end();
    } catch (XdrException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
    byte[] results = new byte[input.choice(256) * 8];
    call.reply(writer -> writer.opaque(results));
    bed.settle();
  }

  private void refuse() {
    if (!bed.incoming.isEmpty()) {
      IncomingCall call = bed.incoming.remove(0);
      // As well if nobody waits for it: this is how a service ends.
      call.fail(AcceptStatus.SYSTEM_ERR);
      bed.settle();
    }
  }

  private void receive() {
    ByteBuffer out = ByteBuffer.allocate(4 * MESSAGE_BYTES);
    int xid = input.flag() ? MachineBed.FIRST_XID + input.choice(8) : input.choice(8);
    int procedure = input.choice(8);
    out.putInt(xid).putInt(input.choice(32) == 31 ? input.word() : 1).putInt(input.choice(8))
        .putInt(procedure > 4 ? 0 : procedure);
    if (procedure == 4) {
      out.putInt(input.choice(4)).putInt(1).putInt(1);
    } else {
      lists(out);
      if (procedure != 1) {
        payload(out, xid);
        if (metadata) {
          block(out);
        }
      }
    }
    byte[] message = Arrays.copyOf(out.array(), out.position());
    for (int changes = input.choice(8) - 4; changes > 0; changes--) {
      message[input.choice(Math.min(256, message.length))] ^= (byte) input.choice(256);
    }
    int length = input.choice(16) == 15 ? Math.min(input.choice(256), message.length)
        : Math.min(message.length, MESSAGE_BYTES);
    bed.receive(ByteBuffer.wrap(message, 0, length), input.choice(16) == 15
        ? OptionalInt.of(0x1001 + input.choice(8)) : OptionalInt.empty());
  }

  private void lists(ByteBuffer out) {
    for (int i = input.choice(4); i > 0; i--) {
      out.putInt(1).putInt(input.choice(32) * 4);
      segment(out);
    }
    out.putInt(0);
    for (int i = input.choice(4); i > 0; i--) {
      out.putInt(1);
      chunk(out);
    }
    out.putInt(0);
    if (input.flag()) {
      out.putInt(1);
      chunk(out);
    } else {
      out.putInt(0);
    }
  }

  private void chunk(ByteBuffer out) {
    int count = input.choice(5);
    out.putInt(count);
    for (int i = 0; i < count; i++) {
      segment(out);
    }
  }

  private void segment(ByteBuffer out) {
    out.putInt(0x1001 + input.choice(16));
    out.putInt(input.choice(4) == 3 ? input.word() : input.choice(256) * 4);
    out.putLong(0);
  }

  private void payload(ByteBuffer out, int xid) {
    out.putInt(xid);
    switch (input.choice(4)) {
      case 0 -> out.putInt(0).putInt(2).putInt(PROGRAM).putInt(1).putInt(5).putLong(0).putLong(0);
      case 1 -> out.putInt(1).putInt(0).putLong(0).putInt(0);
      case 2 -> out.putInt(1).putInt(input.choice(3)).putLong(0).putInt(input.choice(8));
      default -> out.putInt(input.choice(3));
    }
    out.put(input.data(input.choice(64)));
  }

  /** What is behind the payload: mostly a block. */
  private void block(ByteBuffer out) {
    int begin = out.position();
    switch (input.choice(4)) {
      case 0 -> out.putInt(0x00020004).putInt(input.word());
      case 1 -> out.putInt(0x00030000);
      case 2 -> out.put(input.data(4 * input.choice(16)));
      default -> { }
    }
    out.putInt(0x4d440000 | (input.choice(16) == 15 ? input.choice(256) : out.position() - begin));
  }
}
