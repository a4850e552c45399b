// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.ConnectionAgreement;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.ConnectionSnapshot.Calls;
import dev.rpcrdma.api.ConnectionSnapshot.Memory;
import dev.rpcrdma.api.HeaderType;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.PeerPrivateData;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcConnectionLostException;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcResourceException;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.impl.call.Attempt;
import dev.rpcrdma.api.impl.call.CallMaker;
import dev.rpcrdma.api.impl.call.CallPolicy;
import dev.rpcrdma.api.impl.call.TokenChannel;
import dev.rpcrdma.api.impl.loop.CallerContext;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.api.impl.loop.LoopDeadlines;
import dev.rpcrdma.api.impl.loop.RpcTimes;
import dev.rpcrdma.api.impl.mechanism.ContextCall;
import dev.rpcrdma.api.impl.mechanism.ContextPath;
import dev.rpcrdma.api.impl.memory.ConnectionMemory;
import dev.rpcrdma.api.impl.memory.MemoryPool;
import dev.rpcrdma.api.impl.memory.MessageSlots;
import dev.rpcrdma.api.impl.memory.PayloadImpl;
import dev.rpcrdma.api.impl.memory.PayloadMemory;
import dev.rpcrdma.api.impl.memory.SendPool;
import dev.rpcrdma.api.impl.metrics.LoopStatistics;
import dev.rpcrdma.api.impl.security.HandleAuthenticator;
import dev.rpcrdma.api.impl.security.ServerEndPoint;
import dev.rpcrdma.api.impl.security.TokenHandles;
import dev.rpcrdma.protocol.connection.ConnectionMachine;
import dev.rpcrdma.protocol.fabric.ConnectionSettings;
import dev.rpcrdma.protocol.fabric.Counters;
import dev.rpcrdma.protocol.fabric.ExposedRegion;
import dev.rpcrdma.protocol.fabric.LoopPort;
import dev.rpcrdma.protocol.requester.CallHead;
import dev.rpcrdma.protocol.requester.OutboundCall;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.verbs.DisconnectReason;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.QueuePairHandler;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.tracing.TracingPolicy;
import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The shell of one connection: carries events from the queue pair to the machine and commands from
 * any thread to the event loop, on which everything else happens.
 *
 * <p><b>Ownership.</b> It owns the receive slots, from before the connection is made until it has
 * disconnected.
 */
public final class RpcConnectionImpl implements RpcConnection, QueuePairHandler, LoopPort, CallMaker,
    ContextPath, TokenChannel {

  private static final Logger LOG = LoggerFactory.getLogger(RpcConnectionImpl.class);

  private final Context context;
  private final EventLoop loop;
  private final CallPolicy policy;
  private final RpcCaller direct;
  private final RpcCaller calling;
  private final Negotiation negotiation;
  private final boolean client;
  private final MemoryPool pool;
  private final MessageSlots receiveSlots;
  private final VerbsFabric fabric;
  private final Dispatcher dispatcher;
  private final ConnectionMachine machine;
  private final ServedPrograms programs = new ServedPrograms(this::now);
  /** Null until a call has a token of its own. */
  private CallTokens callTokens;
  /** Programs that are this connection's own, and not its owner's. */
  private final Set<Announcements.Announced> claimed = ConcurrentHashMap.newKeySet();
  /** What the owner serves; read from any thread. */
  private volatile Supplier<List<BoundService>> ofOwner = List::of;
  private final List<Integer> headerTypes = new ArrayList<>(0);
  private final Announcements announcements = new Announcements();
  private final List<Runnable> whenEstablished = new ArrayList<>(1);
  private Consumer<Optional<SessionBlock>> whenMet = shown -> {};
  private final Promise<Void> closed;
  private final TokenHandles handles;
  private final String provider;
  private QueuePair queuePair;
  private SocketAddress localAddress;
  private SocketAddress remoteAddress;
  private List<Certificate> peerCertificates = List.of();
  /** Set on the loop when it is established, read anywhere. */
  private volatile Optional<byte[]> bindings = Optional.empty();
  private PeerPrivateData saidByPeer = PeerPrivateData.NONE;
  /** The peer, whatever connection it has. */
  private RpcCaller peer = this;
  private Runnable whenAnnounced = () -> {};
  private Runnable whenPeerLeaves = () -> {};
  /** When the batch began; what is done in it is done at that time. */
  private long batchTime;
  private long upSince;
  private long lastMessage;
  private String endReason = "";
  /** Set on the loop, read anywhere. */
  private volatile boolean ended;

  RpcConnectionImpl(Context context, Negotiation negotiation,
      PeerMemory memory, SharedDevice.Opened device, SendPool sends, MessageSlots receiveSlots) {
    this.context = context;
    this.loop = Contexts.eventLoop(context);
    this.policy = memory.policy();
    this.direct = policy.caller(context, () -> remoteAddress, this::call);
    this.calling = policy.interceptors().around(direct);
    this.negotiation = negotiation;
    this.client = negotiation.client();
    this.pool = device.pools().of(policy.options().getMaxPoolBytes());
    this.receiveSlots = receiveSlots;
    this.closed = Contexts.promise(context);
    this.handles = memory.handles();
    this.provider = device.device().name();
    this.fabric = new VerbsFabric(loop);
    ConnectionMemory registered = new ConnectionMemory(loop, device.domain(), pool, sends);
    this.dispatcher = new Dispatcher(this, loop, programs, new AccessAuthenticator(
        new HandleAuthenticator(handles, policy.security().authenticator().over(this)), programs,
        () -> peerCertificates), device.rooms().of(policy.options().getMaxPendingReplyBytes()),
        negotiation.creditsGranted());
    this.machine = new ConnectionMachine(fabric, registered, LoopDeadlines.of(loop), this,
        dispatcher, negotiation.initial(), memory.xids(), memory.calls());
    machine.over(this);
  }

  /** Posts Receives before the peer can send anything; the setup callback of the queue pair. */
  QueuePairHandler setup(QueuePair pair) {
    queuePair = pair;
    fabric.queuePair(pair);
    for (int i = 0; i < negotiation.receives(); i++) {
      postReceive(i % receiveSlots.count());
    }
    return this;
  }

  private void postReceive(int slot) {
    queuePair.postReceive(slot, receiveSlots.memory(), receiveSlots.offset(slot),
        receiveSlots.slotLength());
  }

  /** Sets what is to be done with what the peer has shown of itself, before any call is made. */
  public void whenMet(Consumer<Optional<SessionBlock>> action) {
    whenMet = action;
  }

  /** Sets what is to be done when the server says that it is about to go. */
  public void whenPeerLeaves(Runnable action) {
    whenPeerLeaves = action;
  }

  void peerLeaves() {
    whenPeerLeaves.run();
  }

  /** Adds an action to be done on the loop when the connection is up. */
  public void whenEstablished(Runnable action) {
    whenEstablished.add(action);
  }

  /**
   * Serves a program; on the loop, or before the connection is made.
   *
   * @return false if it is served already
   */
  public boolean serve(BoundService service) {
    boolean missing = claim(service);
    if (missing) {
      add(service);
    }
    return missing;
  }

  /**
   * Serves what an owner has bound, from now on until it is unbound; on the loop, or before the connection is made. A
   * service that cannot be made for this connection ends it.
   */
  public void serveAll(BoundServices services) {
    ofOwner = services::all;
    programs.follow(ofOwner, this::serveOne, service -> programs.remove(service.binding()));
  }

  private boolean serveOne(BoundService service) {
    if (claimed.contains(Announcements.Announced.program(service.binding()))) {
      return false;
    }
    try {
      add(service);
      return true;
    } catch (Throwable e) {
      // Whatever a factory of the application throws, the machine may be in the middle of a call.
      LOG.warn(service.binding().describe() + " cannot be served to " + remoteAddress + ", whose connection ends", e);
      close();
      return true;
    }
  }

  /** From any thread: whoever comes first serves a program. */
  private boolean claim(BoundService service) {
    return claimed.add(Announcements.Announced.program(service.binding()));
  }

  private void add(BoundService service) {
    programs.add(service.binding(), service.on(this, policy.interceptors()));
  }

  /** Serves an OPTIONAL header type; before the connection is made. */
  public void serve(int number, HeaderType type) {
    machine.serve(new ServedHeaderType(number, type, this, context,
        () -> machine.settings().outboundExtension()));
    headerTypes.add(number);
  }

  /** The OPTIONAL header types that are served here. */
  public List<Integer> headerTypes() {
    return headerTypes;
  }

  boolean client() {
    return client;
  }

  /** The name of its device's provider. */
  public String provider() {
    return provider;
  }

  /** What the peer has got for its tokens. */
  TokenHandles handles() {
    return handles;
  }

  /** Whether calls that are served here have spans. */
  TracingPolicy tracingPolicy() {
    return policy.options().getTracingPolicy();
  }

  /** Whether it has disconnected, so that a call over it would be in vain. */
  public boolean ended() {
    return ended;
  }

  public Announcements announcements() {
    return announcements;
  }

  @Override
  public List<Certificate> peerCertificates() {
    return peerCertificates;
  }

  @Override
  public Optional<byte[]> bindings() {
    return bindings;
  }

  /** Who the peer is beyond this connection; before it is established. */
  public void peer(RpcCaller caller, Runnable announced) {
    peer = caller;
    whenAnnounced = announced;
  }

  /** The client has said what it serves, and whether it has Reads; on the loop. */
  void announced() {
    if (announcements.includesNoReads()) {
      machine.peerCannotPull();
    }
    whenAnnounced.run();
  }

  /** Whether the server has to be told that replies cannot be pulled here. */
  public boolean cannotPull() {
    return negotiation.cannotPull(saidByPeer, queuePair.outboundReads());
  }

  /** What the peer has shown of itself. */
  public Optional<SessionBlock> shownByPeer() {
    return saidByPeer.session();
  }

  /** Sends calls of a channel; on the loop. */
  void call(OutboundCall call, long deadline) {
    machine.call(call, deadline);
  }

  /** Whether a call of a channel would get through: a client must have said that it serves it. */
  boolean takes(CallHead head) {
    return client || announcements.includes(head.program(), head.version());
  }

  /** Ends it at once, and hears nothing more over it: the peer has another one. On the loop. */
  public void fence(String reason) {
    machine.fence(reason);
  }

  /** Gives the receive slots back; once, when nothing refers to them any more. */
  Future<Void> releaseSlots() {
    return receiveSlots.deregister();
  }

  // Upcalls of the queue pair, all on the loop

  private void beginBatch() {
    if (fabric.beginBatch()) {
      batchTime = System.nanoTime();
    }
  }

  /** The clock is read once for each batch: reading it takes as long as much of a small call. */
  @Override
  public long now() {
    return fabric.inBatch() ? batchTime : System.nanoTime();
  }

  @Override
  public void established() {
    beginBatch();
    if (!fabric.disconnectReason().isEmpty()) {
      // Its end was asked for before there was a queue pair.
      queuePair.close();
      return;
    }
    localAddress = queuePair.localAddress();
    remoteAddress = queuePair.remoteAddress();
    peerCertificates = queuePair.peerCertificates();
    bindings = ServerEndPoint.bindings(client ? peerCertificates : queuePair.localCertificates());
    saidByPeer = Negotiation.said(queuePair.privateData());
    whenMet.accept(saidByPeer.session());
    upSince = System.nanoTime();
    lastMessage = upSince;
    machine.established(negotiation.agreed(saidByPeer, queuePair.outboundReads()), upSince);
    if (policy.meter() != null) {
      policy.meter().connected(machine.counters());
    }
    whenEstablished.forEach(Runnable::run);
    whenEstablished.clear();
  }

  @Override
  public void completed(WorkCompletion completion) {
    beginBatch();
    boolean success = completion.status() == WorkCompletion.Status.SUCCESS;
    if (completion.opcode() != WorkCompletion.Opcode.RECEIVE) {
      machine.sendQueueCompleted(completion.id(), success, batchTime);
    } else if (success) {
      received((int) completion.id(), completion);
    }
  }

  private void received(int slot, WorkCompletion completion) {
    ByteBuffer message = receiveSlots.view(slot).limit(completion.byteLength());
    OptionalInt invalidated = OptionalInt.empty();
    if (completion.invalidated()) {
      invalidated = OptionalInt.of(completion.invalidatedTag());
    }
    lastMessage = batchTime;
    machine.received(message, invalidated, batchTime);
    // R-026, B-046, B-057: replaced at once, whatever the message was.
    postReceive(slot);
  }

  @Override
  public void exposed(Exposure exposure) {
    beginBatch();
    ExposedRegion region = (ExposedRegion) exposure.owner();
    if (exposure.failure().isPresent()) {
      VerbsException failure = exposure.failure().get();
      region.failed(Causes.message(failure), failure.kind() == VerbsException.Kind.DISCONNECTED);
    } else {
      region.ready(exposure.steeringTag(), exposure.remoteOffset());
    }
  }

  @Override
  public void revoked(Exposure exposure) {
    beginBatch();
    ((ExposedRegion) exposure.owner()).revoked();
  }

  @Override
  public void batchEnd() {
    fabric.endBatch();
  }

  @Override
  public void disconnected(DisconnectReason reason) {
    ended = true;
    endReason = describe(reason);
    if (policy.meter() != null && upSince != 0) {
      policy.meter().disconnected(machine.counters());
    }
    machine.disconnected(endReason, reason.steeringTag(), System.nanoTime());
    releaseSlots().onComplete(done -> closed.tryComplete());
  }

  private String describe(DisconnectReason reason) {
    if (reason.kind() == DisconnectReason.Kind.LOCAL_CLOSE
        && !fabric.disconnectReason().isEmpty()) {
      return fabric.disconnectReason();
    }
    return "The connection ended (" + reason.kind() + ")"
        + (reason.detail().isEmpty() ? "" : ": " + reason.detail());
  }

  /** Why it has ended, once it has; on the loop. */
  public RpcException whyEnded() {
    return new RpcConnectionLostException("The connection to " + remoteAddress + " is lost: " + endReason, false,
        false);
  }

  // Calls of this end

  @Override
  public CallPolicy policy() {
    return policy;
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public Throwable connectFailure() {
    // A connection's calls do not fail for want of a connection.
    return null;
  }

  @Override
  public <T> Future<T> call(RpcRequest<T> request) {
    return calling.call(request);
  }

  /** Makes a call of this library's own: no part of the call that a service has just now. */
  public <T> Future<T> make(RpcRequest<T> request) {
    return Contexts.on(context, () -> direct.call(request));
  }

  @Override
  public void show(String token, CallProtector.Listener listener) {
    if (callTokens == null) {
      callTokens = new CallTokens(this, policy.options().getCallTimeout());
    }
    callTokens.show(token, listener);
  }

  @Override
  public void forget(CallProtector.Listener listener) {
    callTokens.forget(listener);
  }

  @Override
  public void make(ContextCall call, long nanos) {
    try {
      onLoop(() -> machine.call(new OutboundCall(call), now() + nanos));
    } catch (RejectedExecutionException e) {
      call.outcome(new Outcome.Failed(Outcome.Kind.CLOSED, "Vert.x is closed"));
    }
  }

  /** Makes a call; from any thread. */
  void call(Attempt<?> call) {
    LoopCalls.run(loop, RpcConnectionImpl::callOnLoop, this, call);
  }

  private void callOnLoop(Attempt<?> call) {
    if (!call.begin(this)) {
      return;
    }
    // a client that has not said that it serves a program may not survive the call.
    if (!client && !announcements.includes(call.program(), call.version())) {
      call.fail(notAnnounced(call));
      return;
    }
    OutboundCall carrier = new OutboundCall(call);
    call.carriedBy(carrier);
    machine.call(carrier, now() + call.timeoutNanos());
  }

  private RpcException notAnnounced(Attempt<?> call) {
    return announcements.refusal(call.request(), remoteAddress);
  }

  @Override
  public Future<Buffer> exchange(int headerType, Buffer body) {
    HeaderExchange exchange = new HeaderExchange(headerType, body, context);
    return LoopCalls.ask(loop, exchange.answer(), () -> exchangeOnLoop(exchange));
  }

  private void exchangeOnLoop(HeaderExchange exchange) {
    // what does not answer calls may not survive the attempt.
    if (!client && !announcements.includesHeaderType(exchange.number())) {
      exchange.fail(Announcements.refusal(exchange.number(), remoteAddress));
      return;
    }
    machine.extension(exchange.number(), exchange.body(), exchange,
        now() + policy.options().getCallTimeout().toNanos());
  }

  // Calls of the peer

  @Override
  public <S, T> void run(Task<S, T> task, S subject, T argument) {
    if (loop.inEventLoop()) {
      task.run(subject, argument, now());
    } else {
      loop.execute(() -> task.run(subject, argument, now()));
    }
  }

  // RpcConnection

  @Override
  public RpcCaller peer() {
    return peer;
  }

  @Override
  public RpcConnection peerServes(int program, int version) {
    if (client) {
      throw new IllegalStateException("A server says by its answers what it serves");
    }
    onLoop(() -> {
      announcements.signalled(program, version);
      announced();
    });
    return this;
  }

  @Override
  public String toString() {
    return "RpcConnection[" + Objects.toString(remoteAddress, "not connected") + "]";
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
  public Optional<InstanceId> peerInstance() {
    return client ? Optional.empty() : saidByPeer.instance();
  }

  @Override
  public RpcConnection bind(RpcService service) {
    BoundService bound = BoundService.shared(service, context);
    if (ofOwner.get().stream().anyMatch(other -> other.serves(bound.binding())) || !claim(bound)) {
      throw new IllegalArgumentException("The connection serves " + bound.binding().describe() + " already");
    }
    onLoop(() -> {
      // What the owner has unbound is still there if no call has come since.
      programs.look();
      add(bound);
    });
    return this;
  }

  @Override
  public Future<Payload> allocate(int length) {
    if (length < 1) {
      throw new IllegalArgumentException("A length must be positive: " + length);
    }
    Promise<Payload> promise = CallerContext.promise(context);
    pool.acquire(length)
        .<Payload>map(block -> new PayloadImpl(PayloadMemory.pooled(block, pool), 0, length))
        .recover(e -> Future.failedFuture(new RpcResourceException(Causes.message(e), e)))
        .onComplete(promise);
    return promise.future();
  }

  /** How many calls of the peer are being executed; from any thread. */
  public int callsServing() {
    return dispatcher.serving();
  }

  @Override
  public Future<ConnectionSnapshot> snapshot() {
    Promise<ConnectionSnapshot> promise = Contexts.promise(context);
    return LoopCalls.ask(loop, promise.future(), () -> promise.complete(takeSnapshot()));
  }

  private ConnectionSnapshot takeSnapshot() {
    Counters counters = machine.counters();
    long now = System.nanoTime();
    return new ConnectionSnapshot(agreement(), provider, localAddress, remoteAddress, Duration.ofNanos(now - upSince),
        Duration.ofNanos(now - lastMessage), new Calls(counters.callsSent(), machine.pendingCalls(),
            counters.callsServed(), dispatcher.serving(), machine.grantedCredits()),
        LoopStatistics.messages(counters),
        new Memory(machine.exposures(), counters.providedBytes(), machine.bytesSetAside()));
  }

  private ConnectionAgreement agreement() {
    ConnectionSettings settings = machine.settings();
    return new ConnectionAgreement(settings.outboundInline(), settings.inboundInline(),
        settings.outboundReads(), settings.remoteInvalidation(), saidByPeer,
        queuePair.transportFacts());
  }

  @Override
  public Future<Void> closeFuture() {
    return closed.future();
  }

  @Override
  public Future<Void> close() {
    return LoopCalls.ask(loop, closed.future(), () -> machine.close(System.nanoTime()), Future::succeededFuture);
  }

  @Override
  public Future<Void> shutdown(Duration timeout) {
    long drain = RpcTimes.shutdown(timeout);
    return LoopCalls.ask(loop, closed.future(), () -> machine.close(System.nanoTime(), drain),
        Future::succeededFuture);
  }

  /** From any thread. */
  void onLoop(Runnable action) {
    LoopCalls.run(loop, action);
  }

  /** The same, but never at once; not at all when Vert.x has ended. */
  void later(Runnable action) {
    try {
      loop.execute(action);
    } catch (RejectedExecutionException e) {
      // Nothing of it is left.
    }
  }
}
