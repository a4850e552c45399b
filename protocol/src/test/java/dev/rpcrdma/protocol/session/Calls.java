// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.connection.SimulatedFabric;
import dev.rpcrdma.protocol.connection.SimulatedMemory;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * All calls of a {@link World}, in both directions: who made them, how often they were executed, what
 * became of them. A service answers with a token that no other execution has, so that an answer tells
 * which execution it comes from.
 */
final class Calls {

  /** One call, from its making to its outcome. */
  private final class Made implements CallListener {

    private final int number;
    private final int kind;
    private final int procedure;
    private final boolean forward;
    /** Whose call it is, if that may die. */
    private final WorldServer owner;
    private final List<Long> tokens = new ArrayList<>();
    /** Null until it is made. */
    private ChannelCall handle;
    private TestCall caller;
    /** Who makes it; null if nobody asks. */
    private String user;
    /** Memory of the caller for a result, if it gave any. */
    private byte[] target;
    private boolean givenBack;
    private int outcomes;
    private boolean orphan;
    /** Its caller has heard of a reply. */
    private boolean answered;
    /** Its caller has heard that it was never sent. */
    private boolean unsent;

    Made(int number, int kind, int procedure, WorldServer owner) {
      this.number = number;
      this.kind = kind;
      this.procedure = procedure;
      this.forward = owner == null;
      this.owner = owner;
    }

    @Override
    public String toString() {
      return (forward ? "Call " : "Reverse call ") + number;
    }

    private boolean ended() {
      return outcomes > 0 || orphan;
    }

    @Override
    public void rejected(ReplyHeader header) {
      outcome();
      if (world.mayBeRefused(header)) {
        return;
      }
      answered = true;
      assertThat(header).isInstanceOfSatisfying(ReplyHeader.Accepted.class, accepted ->
          assertThat(accepted.status()).isEqualTo(AcceptStatus.SYSTEM_ERR));
      assertThat(world.plan.patient()).as("a service ran out of time").isFalse();
    }

    @Override
    public void replied(XdrReader results) {
      outcome();
      answered = true;
      long token = results.int64();
      assertThat(tokens).as("call %d: an answer of one of its executions", number)
          .contains(token);
      assertThat(Arrays.equals(results.dataItem(10_000).toByteArray(), data(kind, token)))
          .as("call %d: its results", number).isTrue();
      results.end();
    }

    @Override
    public void failed(Outcome.Failed failure) {
      outcome();
      if (target != null) {
        // It is the caller's again.
        givenBack = true;
        Arrays.fill(target, USED);
      }
      if (failure.kind() != Outcome.Kind.CANCELLED || world.plan.cancel() == 0) {
        assertThat(world.plan.patient()).as("call %d fails: %s", number, failure).isFalse();
      }
      if (!failure.sent()) {
        unsent = true;
        assertThat(tokens).as("call %d was not sent (%s)", number, failure).isEmpty();
      }
    }

    private void checkTarget() {
      for (int i = 0; givenBack && i < target.length; i++) {
        assertThat(target[i]).as("%s: memory that was given back", this).isEqualTo(USED);
      }
    }

    private void outcome() {
      assertThat(++outcomes).as("outcomes of call %d", number).isEqualTo(1);
    }
  }

  /** A service at work. */
  private record Execution(Made call, long token, IncomingCall incoming, WorldServer server) {}

  private static final byte USED = 0x5A;
  /** Must not be executed twice; may be, until its caller has the answer; may be at any time. */
  private static final int ONCE = SimulatedFabric.ONCE;
  private static final int AGAIN = 3;
  private static final int LOOK = 1;

  private final World world;
  private final List<Made> made = new ArrayList<>();
  private final List<Execution> executing = new ArrayList<>();
  private final List<SimulatedMemory.AppItem> items = new ArrayList<>();
  private long lastToken;

  Calls(World world) {
    this.world = world;
  }

  private byte[] data(int kind, long token) {
    Random random = new Random(kind * 31L + token);
    // A cache of few bytes drops none of the small ones for others, and so loses no reply that may be asked for.
    int least = world.allPulled ? World.FEW_BYTES : 0;
    byte[] bytes = new byte[random.nextInt(100) < world.plan.pulls() ? least + random.nextInt(3_000 - least)
        : random.nextInt(40)];
    random.nextBytes(bytes);
    return bytes;
  }

  private SimulatedMemory.AppItem item(byte[] bytes) {
    SimulatedMemory.AppItem item = new SimulatedMemory.AppItem(bytes);
    items.add(item);
    return item;
  }

  void make() {
    WorldClient client = world.clients.get(world.random.nextInt(world.clients.size()));
    WorldServer server = world.servers.get(world.random.nextInt(world.servers.size()));
    List<WorldServer.Peer> known = List.copyOf(server.peers.values());
    Optional<ChannelMachine> back = known.isEmpty() || world.random.nextInt(3) > 0
        ? Optional.empty()
        : Optional.of(known.get(world.random.nextInt(known.size())).channel);
    int procedure = world.random.nextInt(4) > 0 ? ONCE : world.random.nextBoolean() ? LOOK : AGAIN;
    Made call = new Made(made.size(), world.random.nextInt(3), procedure,
        back.isPresent() ? server : null);
    made.add(call);
    XdrWriter writer = new XdrWriter();
    writer.int32(call.number).int32(call.kind).dataItem(item(data(call.kind, 0)));
    List<Said.Room> results = world.allPulled || world.random.nextBoolean() ? List.of()
        : List.of(new Said.Room(3_000, target(call)));
    Said request = Said.procedure(procedure, writer, results, 16 + (results.isEmpty() ? 3_004 : 0));
    boolean sized = !world.allPulled && world.random.nextBoolean();
    TestCall caller = call.caller = new TestCall(sized ? request : request.typically(0), call);
    if (call.forward && client.contexts != null) {
      call.user = client.user;
      caller.protectedBy(client.contexts);
    }
    call.handle = back.orElse(client.channel).call(caller, Repetition.of(procedure == LOOK, false, false),
        world.deadline());
  }

  private Optional<DataItem> target(Made call) {
    if (world.random.nextBoolean()) {
      return Optional.empty();
    }
    call.target = new byte[3_000];
    return Optional.of(item(call.target));
  }

  void cancelOne() {
    if (!made.isEmpty()) {
      Made one = made.get(world.random.nextInt(made.size()));
      one.handle.cancel(one.caller, world.now);
    }
  }

  /** A service gets a call. */
  void execute(IncomingCall call, WorldServer server) {
    Made known = made.get(call.arguments().int32());
    assertThat(call.arguments().int32()).as("kind of call %d", known.number)
        .isEqualTo(known.kind);
    assertThat(known.unsent).as("%s was said not to have been sent, and is executed", known).isFalse();
    if (known.user != null) {
      world.security.checkUser(call, known.user);
    }
    long token = ++lastToken;
    known.tokens.add(token);
    if (known.procedure == ONCE) {
      assertThat(known.tokens).as("executions of call %d", known.number).hasSize(1);
    }
    // Of what may be executed again no reply is kept: somebody on the path can have it executed.
    if (known.procedure == ONCE || known.procedure == AGAIN && world.plan.onPath() == 0) {
      assertThat(known.answered).as("%s is executed after its caller had the answer", known).isFalse();
    }
    executing.add(new Execution(known, token, call, server));
  }

  /** Has a service finish; false if none may. */
  boolean serveOne() {
    int first = executing.isEmpty() ? 0 : world.random.nextInt(executing.size());
    for (int i = 0; i < executing.size(); i++) {
      Execution execution = executing.get((first + i) % executing.size());
      if (!starved(execution.call)) {
        executing.remove(execution);
        finish(execution);
        return true;
      }
    }
    return false;
  }

  private boolean starved(Made call) {
    return !world.calm && world.plan.starved() == (call.forward ? 1 : 2);
  }

  private void finish(Execution execution) {
    if (execution.server != null && execution.server.dead) {
      return;
    }
    int number = execution.call.number;
    int kind = execution.call.kind;
    // Whatever became of the connection: what the service reads is still what was sent.
    assertThat(Arrays.equals(execution.incoming.arguments().dataItem(10_000).toByteArray(),
        data(kind, 0))).as("arguments of call %d", number).isTrue();
    byte[] bytes = data(kind, execution.token);
    SimulatedMemory.AppItem result = item(bytes);
    // The service uses its memory for something else once the reply is gone.
    result.whenAlone = () -> Arrays.fill(bytes, USED);
    execution.incoming.reply(writer -> writer.int64(execution.token).dataItem(result.retain()));
  }

  void serverDied(WorldServer server) {
    for (Made call : made) {
      call.orphan |= call.owner == server;
    }
  }

  /** Calls that somebody still waits for. */
  long owed() {
    return made.stream().filter(call -> !call.ended()).count();
  }

  void checkNotStarved() {
    for (Made call : made) {
      if (!call.ended() && !starved(call)) {
        throw new AssertionError(call + " is kept from going on by the other direction");
      }
    }
  }

  void check() {
    for (Made call : made) {
      if (!call.ended()) {
        throw new AssertionError(call + " has no outcome");
      }
    }
  }

  void checkMemory() {
    made.forEach(Made::checkTarget);
    for (SimulatedMemory.AppItem item : items) {
      assertThat(item.owners).as("owners of application memory").isEqualTo(1);
    }
  }
}
