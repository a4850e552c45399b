// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.explore;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.LargeReplies;
import dev.rpcrdma.protocol.fabric.TestSettings;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.requester.XidSlots;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.session.ChannelMachine;
import dev.rpcrdma.protocol.session.ChannelSettings;
import dev.rpcrdma.protocol.session.ClientSession;
import dev.rpcrdma.protocol.session.Repetition;
import dev.rpcrdma.protocol.session.Session;
import dev.rpcrdma.protocol.session.SessionSettings;
import dev.rpcrdma.protocol.session.Sessions;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * One client, one server, a few calls, and everything that may happen to them, one thing at a time. What a
 * device answers at once is answered at once; messages, Reads, memory, services, losses and time come when
 * they are chosen.
 */
final class SmallWorld {

  private static final long SECOND = 1_000_000_000L;
  private static final long FOREVER = 1_000_000 * SECOND;

  /** Something that may happen next. */
  record Event(Supplier<String> label, boolean progress, Runnable action) {}

  /** A service at work. */
  private record Job(ExploredCall call, IncomingCall incoming) {}

  final SmallPlan plan;
  final List<ExploredCall> calls = new ArrayList<>();
  /** What no choice is left about; done before anything else. */
  final List<Runnable> atOnce = new ArrayList<>();
  private final Random random = new Random(1);
  private final Deadlines deadlines = new Deadlines();
  private final Deadlines channelDeadlines = new Deadlines();
  /** Of the server that is alive. */
  private Deadlines serverDeadlines;
  private final ClientSession client;
  private final ChannelMachine channel;
  private final List<SmallLink> links = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private Sessions<InstanceId> sessions;
  private boolean wanted;
  private int cuts;
  private int restarts;
  private int timeOuts;
  private int connected;
  long now;

  SmallWorld(SmallPlan plan) {
    this.plan = plan;
    this.sessions = newServer();
    this.client = new ClientSession(sessionSettings(), slotBits(), deadlines, random);
    this.channel = new ChannelMachine(new ChannelSettings(Replay.SAFE, 64, 0, 1, 1), () -> wanted = true,
        channelDeadlines, random);
    for (int i = 0; i < plan.calls(); i++) {
      make(i);
    }
  }

  private Sessions<InstanceId> newServer() {
    serverDeadlines = new Deadlines();
    return new Sessions<>(sessionSettings(), serverDeadlines, random, dropped -> { });
  }

  private int slotBits() {
    return XidSlots.bitsFor(plan.credits());
  }

  private SessionSettings sessionSettings() {
    return new SessionSettings(slotBits(), 1 << 20, 0, 4, FOREVER, 4, FOREVER);
  }

  private void make(int number) {
    ExploredCall call = new ExploredCall(plan, number, plan.kind(number));
    calls.add(call);
    XdrWriter writer = new XdrWriter().int32(number);
    if (plan.pulled(number)) {
      writer.dataItem(DataItem.of(new byte[1024]));
    }
    List<Said.Room> rooms = !plan.lends(number) ? List.of()
        : List.of(new Said.Room(ExploredCall.LENT_BYTES, Optional.of(DataItem.of(new byte[ExploredCall.LENT_BYTES]))));
    call.caller = new TestCall(Said.procedure(call.kind.procedure, writer, rooms, 12), call);
    call.handle = channel.call(call.caller, Repetition.of(call.kind == ExploredCall.Kind.LOOK, false, false),
        plan.timeOuts() > 0 ? (number + 1) * SECOND : FOREVER);
  }

  ConnectionSettings settings(boolean ofClient) {
    return TestSettings.of(ofClient).credits(plan.credits(), plan.credits())
        .times(plan.timeOuts() > 0 ? 2 * SECOND : FOREVER, SECOND)
        .largeReplies(!plan.largeReplies() ? LargeReplies.NONE
            : new LargeReplies(ofClient, !ofClient, false, 1 << 20, plan.timeOuts() > 0 ? 2 * SECOND : FOREVER))
        .metadata(plan.timeOuts() > 0 || plan.lends()).remoteInvalidation(plan.lends()).setAside(1 << 20).build();
  }

  // What may happen

  List<Event> events() {
    List<Event> all = new ArrayList<>();
    if (wanted) {
      all.add(new Event(() -> "connect", true, this::connect));
    }
    for (SmallLink link : List.copyOf(links)) {
      link.offer(all);
    }
    for (Job job : jobs) {
      all.add(new Event(() -> "the service answers " + job.call, true, () -> answer(job)));
    }
    for (ExploredCall call : calls) {
      if (call.mayBeGivenUp()) {
        all.add(new Event(() -> "the caller gives " + call + " up", false, () -> call.handle.cancel(call.caller, now)));
      }
    }
    if (cuts < plan.cuts() && links.stream().anyMatch(SmallLink::up)) {
      all.add(new Event(() -> "CUT, as the client sees it", false, this::cut));
    }
    if (restarts < plan.restarts() && connected > 0) {
      all.add(new Event(() -> "the server RESTARTS", false, this::restart));
    }
    if (timeOuts < plan.timeOuts() && nextDeadline() < FOREVER) {
      all.add(new Event(() -> "time passes", false, this::pass));
    }
    return all;
  }

  void happen(Event event) {
    event.action().run();
    while (!atOnce.isEmpty()) {
      atOnce.remove(0).run();
    }
    links.removeIf(SmallLink::over);
  }

  private void connect() {
    wanted = false;
    connected++;
    SessionBlock hello = client.hello();
    Optional<Session> entered = sessions.enter(hello.id(), Optional.of(hello));
    if (entered.isEmpty()) {
      channel.failed("rejected", now);
      return;
    }
    Session session = entered.get();
    links.forEach(link -> link.fence());
    client.met(Optional.of(SessionBlock.ofServer(slotBits(), session.id())), channel);
    SmallLink link = new SmallLink(this, connected, session, client);
    links.add(link);
    link.establish();
    channel.up(link.client.machine::call, now);
  }

  private void cut() {
    cuts++;
    links.stream().filter(SmallLink::up).forEach(SmallLink::cut);
  }

  /** Tells whether a connection was cut: its exposures have ended on one side, and messages are on their way. */
  boolean anyCut() {
    return cuts > 0 || restarts > 0;
  }

  private void restart() {
    restarts++;
    jobs.clear();
    links.forEach(SmallLink::serverDies);
    sessions = newServer();
  }

  private long nextDeadline() {
    long next = Math.min(channelDeadlines.next(), Math.min(deadlines.next(), serverDeadlines.next()));
    for (SmallLink link : links) {
      next = Math.min(next, link.nextDeadline());
    }
    return next;
  }

  private void pass() {
    timeOuts++;
    now = Math.max(now, nextDeadline());
    channelDeadlines.advance(now);
    deadlines.advance(now);
    serverDeadlines.advance(now);
    links.forEach(link -> link.advance(now));
  }

  // From links

  void clientLost() {
    channel.lost(now);
    if (channelDeadlines.next() < FOREVER && !wanted) {
      // The pause before the next attempt is nothing that decides anything.
      channel.connect();
    }
  }

  void serverLost(Session session) {
    sessions.leave(session, now);
  }

  void execute(IncomingCall incoming) {
    ExploredCall call = calls.get(incoming.arguments().int32());
    call.executed();
    jobs.add(new Job(call, incoming));
  }

  private void answer(Job job) {
    jobs.remove(job);
    job.call.works();
    job.incoming.reply(writer -> {
      writer.int32(job.call.number).int32(job.call.executions).fixedOpaque(new byte[job.call.resultBytes()]);
      if (plan.lends(job.call.number)) {
        writer.dataItem(DataItem.of(new byte[ExploredCall.LENT_BYTES]));
      }
    });
  }

  /** Nothing helps any more: who still waits waits for ever. */
  Optional<String> stalled(List<Event> events) {
    if (events.stream().anyMatch(Event::progress)) {
      return Optional.empty();
    }
    return calls.stream().filter(call -> !call.ended()).findFirst()
        .map(call -> "no step helps, and " + call + " has no outcome");
  }
}
