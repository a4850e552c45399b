// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

import dev.rpcrdma.protocol.replicated.ClaimStep.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Some servers, the map that they share, and clients that call one server after the other until they have an outcome.
 * What is on its way arrives in any order, and may arrive when nobody expects it any more. Each event is a world of its
 * own.
 */
final class ReplicaWorld {

  /** A promise was not kept. */
  static final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  /** A world that comes next. */
  record Next(String label, ReplicaWorld world) {}

  private record Message(int slot, int number, int address) {}

  /** A reply on its way: of which kind, and with what text. */
  private record Reply(int slot, int number, int address, Kind kind, String text) {}

  /** An operation of which nobody waits for the outcome any more; it may be done at any time. */
  private record Orphan(int slot, ReplyEntry from, ReplyEntry to) {}

  /**
   * A call that a node has got.
   *
   * @param waiting over which addresses somebody waits, as bits
   * @param done whether the operation on the map was done, and only its answer is missing
   * @param before what was there
   * @param compared whether the map had what was expected
   * @param knew whether the map has told of a reply
   */
  private record Handling(int slot, int number, int node, int waiting, ClaimStep step, boolean done,
      ReplyEntry before, boolean compared, boolean knew) {

    Handling with(ClaimStep next) {
      return new Handling(slot, number, node, waiting, next, false, null, false, knew);
    }
  }

  /**
   * A slot of a client.
   *
   * @param number of its call; 0 before the first
   * @param address where it waits; -1 if it has nothing to wait for
   * @param tried addresses, as bits
   */
  private record Slot(int number, int address, int tried, boolean maybeExecuted) {}

  private enum Outcome { NONE, REPLY, REFUSED, MAYBE, NOT_EXECUTED }

  private final ReplicaPlan plan;
  private final ReplyEntry[] map;
  private final List<Slot> slots;
  private final List<Message> messages;
  private final List<Reply> replies;
  private final List<Orphan> orphans;
  private final List<Handling> handlings;
  /** By slot and number. */
  private final List<Integer> executions;
  private final List<Outcome> outcomes;
  private int alive;
  private int deaths;
  private int losses;
  private int faults;
  private int givingUp;
  private int refusals;

  ReplicaWorld(ReplicaPlan plan) {
    this.plan = plan;
    map = new ReplyEntry[plan.slots()];
    slots = new ArrayList<>();
    messages = new ArrayList<>();
    replies = new ArrayList<>();
    orphans = new ArrayList<>();
    handlings = new ArrayList<>();
    executions = new ArrayList<>();
    outcomes = new ArrayList<>();
    for (int i = 0; i < plan.slots(); i++) {
      slots.add(new Slot(0, -1, 0, false));
      for (int j = 0; j < plan.calls(); j++) {
        executions.add(0);
        outcomes.add(Outcome.NONE);
      }
    }
    for (int i = 0; i < plan.addresses(); i++) {
      alive |= 1 << plan.node(i);
    }
    deaths = plan.deaths();
    losses = plan.losses();
    faults = plan.faults();
    givingUp = plan.givingUp();
    refusals = plan.refusals();
  }

  private ReplicaWorld(ReplicaWorld other) {
    plan = other.plan;
    map = other.map.clone();
    slots = new ArrayList<>(other.slots);
    messages = new ArrayList<>(other.messages);
    replies = new ArrayList<>(other.replies);
    orphans = new ArrayList<>(other.orphans);
    handlings = new ArrayList<>(other.handlings);
    executions = new ArrayList<>(other.executions);
    outcomes = new ArrayList<>(other.outcomes);
    alive = other.alive;
    deaths = other.deaths;
    losses = other.losses;
    faults = other.faults;
    givingUp = other.givingUp;
    refusals = other.refusals;
  }

  /** All that tells this world from others, whatever the order of what is on its way. */
  Object key() {
    return List.of(java.util.Arrays.asList(map), List.copyOf(slots), java.util.Set.copyOf(messages),
        java.util.Set.copyOf(replies), java.util.Set.copyOf(orphans), java.util.Set.copyOf(handlings),
        List.copyOf(executions), List.copyOf(outcomes),
        List.of(alive, deaths, losses, faults, givingUp, refusals));
  }

  // Events

  /** All worlds that may come next. */
  List<Next> next() {
    List<Next> all = new ArrayList<>();
    for (int i = 0; i < slots.size(); i++) {
      client(i, all);
    }
    for (Message message : messages) {
      if (isAlive(message.address)) {
        add(all, "arrives " + message, world -> world.arrives(message));
      }
    }
    for (Reply reply : replies) {
      add(all, "answers " + reply, world -> world.answered(reply));
    }
    for (Orphan orphan : orphans) {
      add(all, "is done late " + orphan, world -> world.late(orphan));
    }
    for (int i = 0; i < handlings.size(); i++) {
      server(i, all);
    }
    for (int node = 0; deaths > 0 && node < 8; node++) {
      int dying = node;
      if ((alive & 1 << node) != 0) {
        add(all, "node " + node + " dies", world -> world.dies(dying));
      }
    }
    return all;
  }

  private void add(List<Next> all, String label, Consumer<ReplicaWorld> event) {
    ReplicaWorld world = new ReplicaWorld(this);
    event.accept(world);
    all.add(new Next(label, world));
  }

  /** Why nothing will ever happen though somebody waits; null if that is not so. */
  String stalled(List<Next> next) {
    if (!next.isEmpty()) {
      return null;
    }
    return outcomes.contains(Outcome.NONE) ? "A call never has an outcome: " + outcomes : null;
  }

  // Clients

  private void client(int index, List<Next> all) {
    Slot slot = slots.get(index);
    if (slot.address < 0) {
      if (slot.number < plan.calls()) {
        for (int i = 0; i < plan.addresses(); i++) {
          int to = i;
          add(all, "slot " + index + " calls " + (slot.number + 1) + " at " + to, world ->
              world.send(index, new Slot(slot.number + 1, to, 1 << to, false)));
        }
      }
      if (map[index] != null && (plan.map() == ReplicaPlan.MapFault.SHORT_TIME || isQuiet(index))) {
        add(all, "the entry of slot " + index + " expires", world -> world.map[index] = null);
      }
      return;
    }
    boolean lives = isAlive(slot.address);
    if (!lives || losses > 0) {
      goOn(index, "slot " + index + " loses its connection to " + slot.address, true, all, lives);
    }
    if (givingUp > 0) {
      add(all, "slot " + index + " gives up", world -> {
        world.givingUp--;
        world.ends(index, Outcome.MAYBE);
      });
    }
  }

  private boolean isQuiet(int slot) {
    return messages.stream().noneMatch(message -> message.slot == slot)
        && orphans.stream().noneMatch(orphan -> orphan.slot == slot)
        && handlings.stream().noneMatch(handling -> handling.slot == slot);
  }

  /** To any address that was not tried and can be reached, or to its end. */
  private void goOn(int index, String why, boolean sent, List<Next> all, boolean costs) {
    Slot slot = slots.get(index);
    boolean maybe = slot.maybeExecuted || sent;
    boolean gone = false;
    for (int i = 0; i < plan.addresses(); i++) {
      int to = i;
      if ((slot.tried & 1 << i) == 0 && isAlive(i)) {
        gone = true;
        add(all, why + ", goes to " + to, world -> {
          world.losses -= costs ? 1 : 0;
          world.send(index, new Slot(slot.number, to, slot.tried | 1 << to, maybe));
        });
      }
    }
    if (!gone) {
      add(all, why + ", fails", world -> {
        world.losses -= costs ? 1 : 0;
        world.ends(index, maybe ? Outcome.MAYBE : Outcome.NOT_EXECUTED);
      });
    }
  }

  private void send(int index, Slot slot) {
    slots.set(index, slot);
    if (isAlive(slot.address)) {
      messages.add(new Message(index, slot.number, slot.address));
    }
  }

  private void ends(int index, Outcome outcome) {
    Slot slot = slots.get(index);
    outcomes.set(call(index, slot.number), outcome);
    slots.set(index, new Slot(slot.number, -1, 0, false));
    if (outcome == Outcome.NOT_EXECUTED && executions.get(call(index, slot.number)) > 0) {
      throw new Violation("A call was executed, and its caller hears that it was not");
    }
  }

  private void answered(Reply reply) {
    replies.remove(reply);
    Slot slot = slots.get(reply.slot);
    if (slot.number != reply.number || slot.address != reply.address) {
      return;
    }
    switch (reply.kind) {
      case FINISH, ANSWER -> {
        if (reply.text.equals("refused")) {
          ends(reply.slot, Outcome.REFUSED);
        } else if (!reply.text.equals(text(reply.slot, reply.number))) {
          throw new Violation("The caller of " + text(reply.slot, reply.number) + " gets " + reply.text);
        } else {
          ends(reply.slot, Outcome.REPLY);
        }
      }
      case CLAIMED_BEFORE, REPLY_GONE -> ends(reply.slot, Outcome.MAYBE);
      case NOT_CLAIMED -> notClaimed(reply.slot);
      default -> throw new Violation("Somebody waits, and hears " + reply.kind);
    }
  }

  /** To the first address that was not tried: which one it is makes no difference to servers. */
  private void notClaimed(int index) {
    Slot slot = slots.get(index);
    for (int i = 0; i < plan.addresses(); i++) {
      if ((slot.tried & 1 << i) == 0 && isAlive(i)) {
        send(index, new Slot(slot.number, i, slot.tried | 1 << i, slot.maybeExecuted));
        return;
      }
    }
    ends(index, slot.maybeExecuted ? Outcome.MAYBE : Outcome.NOT_EXECUTED);
  }

  // Servers

  private void arrives(Message message) {
    messages.remove(message);
    int node = plan.node(message.address);
    for (int i = 0; i < handlings.size(); i++) {
      Handling handling = handlings.get(i);
      if (handling.node == node && handling.slot == message.slot && handling.number == message.number) {
        handlings.set(i, new Handling(handling.slot, handling.number, node, handling.waiting | 1 << message.address,
            handling.step, handling.done, handling.before, handling.compared, handling.knew));
        return;
      }
    }
    ReplyEntry claim = ReplyEntry.claim(message.number, node + "/" + message.address, "");
    handlings.add(new Handling(message.slot, message.number, node, 1 << message.address, ClaimStep.begin(claim), false,
        null, false, false));
  }

  private void server(int index, List<Next> all) {
    Handling handling = handlings.get(index);
    String label = handling.step.kind() + " of " + text(handling.slot, handling.number) + " by node " + handling.node;
    if (handling.step.kind() == Kind.EXECUTE) {
      add(all, label, world -> world.execute(index));
      if (refusals > 0) {
        add(all, label + ", which refuses", world -> {
          world.refusals--;
          world.advance(index, handling, handling.step.executed(handling.step.claim().released()));
        });
      }
      return;
    }
    if (handling.done) {
      add(all, label + " is known", world -> world.known(index));
    } else {
      add(all, label + " is done", world -> world.done(index));
    }
    if (faults > 0) {
      add(all, label + " fails", world -> {
        world.faults--;
        if (!handling.done) {
          world.orphans.add(new Orphan(handling.slot, handling.step.from(), handling.step.to()));
        }
        world.advance(index, handling, handling.step.failed());
      });
    }
  }

  private void execute(int index) {
    Handling handling = handlings.get(index);
    int call = call(handling.slot, handling.number);
    executions.set(call, executions.get(call) + 1);
    if (executions.get(call) > 1) {
      throw new Violation(text(handling.slot, handling.number) + " is executed twice");
    }
    if (outcomes.get(call) == Outcome.NOT_EXECUTED) {
      throw new Violation("A call is executed whose caller has heard that it was not");
    }
    ReplyEntry claim = handling.step.claim();
    ByteBuffer reply = ByteBuffer.wrap(text(handling.slot, handling.number).getBytes(StandardCharsets.US_ASCII));
    advance(index, handling, handling.step.executed(plan.large() ? claim.gone() : claim.answered(reply)));
  }

  /** The map does what it was asked for. */
  private void done(int index) {
    Handling handling = handlings.get(index);
    ClaimStep step = handling.step;
    ReplyEntry before = map[handling.slot];
    boolean compared = apply(handling.slot, step.kind() == Kind.READ ? before : step.from(), step.to(),
        step.kind() == Kind.READ);
    handlings.set(index, new Handling(handling.slot, handling.number, handling.node, handling.waiting, step, true,
        before, compared, handling.knew));
  }

  private boolean apply(int slot, ReplyEntry from, ReplyEntry to, boolean read) {
    boolean same = Objects.equals(map[slot], from);
    if (!read && (same || plan.map() == ReplicaPlan.MapFault.BLIND && from != null)) {
      map[slot] = to;
      return true;
    }
    return same;
  }

  private void late(Orphan orphan) {
    orphans.remove(orphan);
    if (orphan.to != null) {
      apply(orphan.slot, orphan.from, orphan.to, false);
    }
  }

  /** The node hears of what the map has done. */
  private void known(int index) {
    Handling handling = handlings.get(index);
    ClaimStep next = switch (handling.step.kind()) {
      case INSERT, READ -> handling.step.found(handling.before);
      case REPLACE, RELEASE -> handling.step.replaced(handling.compared);
      case STORE -> handling.step.stored();
      default -> throw new IllegalStateException(handling.toString());
    };
    ReplyEntry before = handling.before;
    boolean told = (handling.step.kind() == Kind.INSERT || handling.step.kind() == Kind.READ) && before != null
        && before.number() == handling.number && before.state() == ReplyEntry.State.ANSWERED;
    advance(index, new Handling(handling.slot, handling.number, handling.node, handling.waiting, handling.step, false,
        null, false, handling.knew || told), next);
  }

  private void advance(int index, Handling handling, ClaimStep next) {
    if (!next.kind().isEnd()) {
      handlings.set(index, handling.with(next));
      return;
    }
    handlings.remove(index);
    if (handling.knew && next.kind() != Kind.ANSWER) {
      throw new Violation("A reply was stored, and its caller gets " + next.kind());
    }
    String text = next.kind() != Kind.FINISH && next.kind() != Kind.ANSWER ? ""
        : next.to().state() == ReplyEntry.State.RELEASED ? "refused"
        : next.kind() == Kind.FINISH ? text(handling.slot, handling.number)
        : StandardCharsets.US_ASCII.decode(next.to().reply().duplicate()).toString();
    for (int i = 0; i < plan.addresses(); i++) {
      if ((handling.waiting & 1 << i) != 0) {
        replies.add(new Reply(handling.slot, handling.number, i, next.kind(), text));
      }
    }
  }

  /** What it has asked of the map may be done later, or never. */
  private void dies(int node) {
    deaths--;
    alive &= ~(1 << node);
    for (Handling handling : List.copyOf(handlings)) {
      if (handling.node == node) {
        handlings.remove(handling);
        if (handling.step.to() != null && !handling.done) {
          orphans.add(new Orphan(handling.slot, handling.step.from(), handling.step.to()));
        }
      }
    }
    messages.removeIf(message -> plan.node(message.address) == node);
  }

  // Numbers

  private boolean isAlive(int address) {
    return (alive & 1 << plan.node(address)) != 0;
  }

  private int call(int slot, int number) {
    return slot * plan.calls() + number - 1;
  }

  private static String text(int slot, int number) {
    return slot + ":" + number;
  }
}
