// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.kerberos.gss.ClientContext.BindState;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.security.CallProtector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * RPCSEC_GSS of one user to one server (RFC 2203, RFC 5403): makes a context when the first call needs one, and another
 * when that one is over, is unknown to the server, or has no numbers left. One for all connections to the server. From
 * any thread.
 *
 * <pre>
 *   NONE ──a call──▶ MAKING ──server and mechanism agree──▶ STANDING
 *     ▲                │                                       │
 *     └─ calls fail ───┘◀────── over, discarded, exhausted ────┘
 * </pre>
 *
 * <p>Calls wait meanwhile. Several contexts stand if calls that take long hold the windows of the others: a call takes
 * a number of the newest context whose window has room, and another context is made if none has. All of them stay, so
 * that the next slow call needs no new one.
 *
 * <p>With {@link GssService#CHANNEL} a context is bound to each connection before the first call over it, and calls
 * that go over that one wait for it.
 */
public final class GssClient implements CallProtector {

  /** Of a server that offers more, so much is used: more are never on their way at once. */
  private static final int LARGEST_WINDOW = 1 << 12;
  /** A mechanism that does not come to an end is given up. */
  private static final int MOST_TOKENS = 16;
  /** How often one is begun whose connections are lost. */
  private static final int MOST_ATTEMPTS = 3;
  /** Contexts that stand at once: as many calls that take long hold nobody up. */
  private static final int MOST_CONTEXTS = 64;
  /** Pause after the making of a further context has failed, while others stand. */
  private static final long PAUSE_NANOS = 1_000_000_000L;
  /** Contexts that are made at once, over connections of which the others have not answered yet. */
  private static final int MOST_AT_ONCE = 8;

  private static final String DISAGREE = "client and server do not agree on how many tokens there are";
  private static final String CLOSED = "The channel is closed";
  private static final String NOT_BOUND = "The context of RPCSEC_GSS cannot be bound to the connection: ";

  private final GssService service;
  private final Supplier<GssHandshake> mechanism;
  private final GssExchange exchange;
  private final Executor handshakes;
  private final Executor work;
  private final LongSupplier clock;
  /** Those who wait for a context, for a number of it, or until it is bound, with what their calls go over. */
  private final Map<Listener, SecureChannel> waiting = new LinkedHashMap<>();
  /** Over which the server has refused a context, so that another one is tried once. Those that have ended go. */
  private final Set<SecureChannel> refusedOnce = Collections.newSetFromMap(new WeakHashMap<>());
  /** Contexts that stand, the newest first. */
  private final Deque<ClientContext> standing = new ArrayDeque<>();
  /** Time before which no further context is made while others stand. */
  private long pausesUntil;
  private boolean pauses;
  /** Whether the end of the pause will be noticed. */
  private boolean wakes;
  /** Contexts that are being made; several if the connections of the others have not answered for a while. */
  private final Set<Making> makings = new LinkedHashSet<>();
  private boolean closed;

  /**
   * Creates it; nothing happens before the first call.
   *
   * @param service how calls are protected
   * @param mechanism begins to make a context
   * @param exchange calls the server
   * @param handshakes for the mechanism, which may wait for others, such as a key distribution center
   * @param work for what takes long, and waits for nobody
   * @param clock in nanoseconds
   */
  public GssClient(GssService service, Supplier<GssHandshake> mechanism, GssExchange exchange, Executor handshakes,
      Executor work, LongSupplier clock) {
    this.service = service;
    this.mechanism = mechanism;
    this.exchange = exchange;
    this.handshakes = handshakes;
    this.work = work;
    this.clock = clock;
  }

  @Override
  public void protection(SecureChannel channel, Listener listener) {
    if (service == GssService.CHANNEL && channel.bindings().isEmpty()) {
      listener.unavailable(NOT_BOUND + "nothing below protects it, as TLS does, or its certificate has no single hash");
      return;
    }
    boolean refused;
    boolean queued;
    synchronized (this) {
      refused = closed;
      queued = !standing.isEmpty() && standing.getFirst().state(channel) == BindState.ASKED;
      if (!refused) {
        waiting.put(listener, channel);
      }
    }
    if (refused) {
      listener.unavailable(CLOSED);
    } else if (!queued) {
      proceed();
    }
  }

  /** A connection to the server is up, after there was none. */
  public void resume() {
    proceed();
  }

  @Override
  public synchronized Optional<String> forget(Listener listener) {
    SecureChannel channel = waiting.remove(listener);
    if (channel == null) {
      return Optional.empty();
    }
    if (standing.stream().anyMatch(context -> context.state(channel) == BindState.ASKED)) {
      return Optional.of(NOT_BOUND + "the server has not answered within the call's timeout");
    }
    if (!standing.isEmpty()) {
      return Optional.of("The call was not sent within its timeout: all sequence numbers of RPCSEC_GSS that the server"
          + " takes belong to calls without a reply, in " + standing.size() + " contexts");
    }
    if (makings.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(makings.stream().anyMatch(each -> each.asking)
        ? "No context of RPCSEC_GSS within the call's timeout: the server has not answered yet"
        : "No context of RPCSEC_GSS within the call's timeout: the mechanism has made no token yet; does the key"
            + " distribution center answer?");
  }

  /** Serves those who wait, and has a context made if none has a number for them. */
  private void proceed() {
    List<Runnable> told = new ArrayList<>();
    Making begun = null;
    long pause = 0;
    synchronized (this) {
      long now = clock.getAsLong();
      standing.removeIf(context -> context.isOver(now) || context.numbers().isExhausted());
      if (serve(told)) {
        if (mayBegin(now)) {
          begun = new Making(true, MOST_ATTEMPTS);
          makings.add(begun);
        } else if (pauses && !wakes && !closed) {
          wakes = true;
          pause = pausesUntil - now;
        }
      }
    }
    told.forEach(Runnable::run);
    if (begun != null) {
      perform(begun, begun::begin);
    }
    if (pause > 0) {
      // Calls that take long may free no number before.
      exchange.after(pause, this::wake);
    }
  }

  private void wake() {
    synchronized (this) {
      wakes = false;
    }
    proceed();
  }

  /** Whether nothing is being made, or all that is waits for connections that are slow; with the lock. */
  private boolean mayBegin(long now) {
    pauses &= !standing.isEmpty() && pausesUntil - now > 0;
    if (closed || pauses || standing.size() + makings.size() >= MOST_CONTEXTS) {
      return false;
    }
    return makings.isEmpty() || makings.size() < MOST_AT_ONCE && makings.stream().allMatch(each -> each.slow)
        && exchange.hasAnother();
  }

  /** Serves as far as there are numbers; with the lock. Returns whether there were too few. */
  private boolean serve(List<Runnable> told) {
    Iterator<Map.Entry<Listener, SecureChannel>> each = waiting.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Listener, SecureChannel> next = each.next();
      Listener listener = next.getKey();
      SecureChannel channel = next.getValue();
      ClientContext context = choose(channel);
      if (context == null) {
        return true;
      }
      BindState state = state(context, channel);
      if (state == BindState.ASKED) {
        continue;
      }
      int number = context.numbers().take().orElseThrow();
      if (state == BindState.BOUND) {
        each.remove();
        SignedTransmission transmission = transmission(context, number);
        told.add(() -> listener.ready(transmission));
      } else {
        context.channels().put(channel, BindState.ASKED);
        told.add(() -> bind(context, channel, number));
      }
    }
    return false;
  }

  /**
   * Chooses the newest context with a number, if possible one that is bound to the channel, or is just being bound to
   * it; null if there is none.
   */
  private ClientContext choose(SecureChannel channel) {
    ClientContext newest = null;
    ClientContext asked = null;
    for (ClientContext context : standing) {
      BindState state = state(context, channel);
      boolean room = context.numbers().hasRoom();
      if (room && state == BindState.BOUND) {
        return context;
      }
      asked = asked == null && state == BindState.ASKED ? context : asked;
      newest = newest == null && room ? context : newest;
    }
    return asked != null ? asked : newest;
  }

  private BindState state(ClientContext context, SecureChannel channel) {
    return service == GssService.CHANNEL ? context.state(channel) : BindState.BOUND;
  }

  private int version() {
    return service == GssService.CHANNEL ? GssCredential.VERSION_2 : GssCredential.VERSION_1;
  }

  private SignedTransmission transmission(ClientContext context, int number) {
    return new SignedTransmission(this, context, number, version(), GssProcedure.DATA, service,
        GssBodies.of(service, context.context(), number, work));
  }

  /** A number is not waited for any more. */
  void ended(ClientContext context, int number) {
    boolean room;
    synchronized (this) {
      context.numbers().end(number);
      room = !waiting.isEmpty();
    }
    if (room) {
      proceed();
    }
  }

  /**
   * Ends the use of a context that the server does not take any more. The server has hardly kept the others, which are
   * used less, nor those that were begun before. A call that is refused is sent once more, and must not meet one of
   * them.
   */
  synchronized void discard(ClientContext context) {
    if (standing.contains(context)) {
      standing.clear();
      makings.forEach(each -> each.outdated = true);
    }
  }

  /** Ends all contexts, and tells the server so; calls that wait fail. */
  public void close() {
    List<ClientContext> last;
    synchronized (this) {
      closed = true;
      last = List.copyOf(standing);
      standing.clear();
    }
    failAll(CLOSED);
    last.forEach(this::destroy);
  }

  private void destroy(ClientContext last) {
    OptionalInt number;
    synchronized (this) {
      number = last.numbers().take();
    }
    // Where there is no number for it, the server forgets it by itself.
    GssService signed = service == GssService.CHANNEL ? GssService.NONE : service;
    number.ifPresent(sequence -> exchange.destroy(new SignedTransmission(this, last, sequence, version(),
        GssProcedure.DESTROY, signed, Optional.empty())));
  }

  private void failAll(String reason) {
    List<Listener> all;
    synchronized (this) {
      all = new ArrayList<>(waiting.keySet());
      waiting.clear();
    }
    all.forEach(listener -> listener.unavailable(reason));
  }

  // Binding

  private void bind(ClientContext context, SecureChannel channel, int number) {
    BindTransmission call = new BindTransmission(context, number, channel.bindings().orElseThrow());
    exchange.bind(channel, call, new GssExchange.BindListener() {
      @Override
      public void answered(OpaqueAuth verifier) {
        call.refusal(verifier).ifPresentOrElse(reason -> notBound(context, channel, number, reason),
            () -> bound(context, channel, number));
      }

      @Override
      public void refused(AuthStatus status) {
        GssClient.this.refused(context, channel, number, status);
      }

      @Override
      public void failed(String reason) {
        notBound(context, channel, number, reason);
      }

      @Override
      public void lost() {
        // Nothing goes over it any more: those who wait do so until their calls end with it.
        asked(context, channel, number, BindState.ASKED);
        proceed();
      }
    });
  }

  private synchronized void asked(ClientContext context, SecureChannel channel, int number, BindState outcome) {
    context.numbers().end(number);
    context.channels().put(channel, outcome);
  }

  private void bound(ClientContext context, SecureChannel channel, int number) {
    synchronized (this) {
      asked(context, channel, number, BindState.BOUND);
      refusedOnce.remove(channel);
    }
    proceed();
  }

  /** It does not know the context any more, or has other bindings: with another context it is seen which it is. */
  private void refused(ClientContext context, SecureChannel channel, int number, AuthStatus status) {
    boolean again;
    synchronized (this) {
      again = SignedTransmission.saysOutdated(status) && refusedOnce.add(channel);
      if (again) {
        asked(context, channel, number, BindState.NONE);
        discard(context);
      } else {
        refusedOnce.remove(channel);
      }
    }
    if (again) {
      proceed();
    } else {
      notBound(context, channel, number, "the server refuses it (" + status
          + "): it may see another connection than this one, with somebody between the two");
    }
  }

  /** Those who wait for it fail; the next call over it tries again. */
  private void notBound(ClientContext context, SecureChannel channel, int number, String reason) {
    List<Listener> failed = new ArrayList<>();
    synchronized (this) {
      asked(context, channel, number, BindState.NONE);
      waiting.forEach((listener, over) -> {
        if (over == channel) {
          failed.add(listener);
        }
      });
      failed.forEach(waiting::remove);
    }
    failed.forEach(listener -> listener.unavailable(NOT_BOUND + reason));
    proceed();
  }

  // Making

  /** Whether those who wait have nothing else to wait for; with the lock, after a making has ended. */
  private boolean isLast() {
    return standing.isEmpty() && makings.isEmpty();
  }

  private void stands(Making making, ClientContext context) {
    synchronized (this) {
      makings.remove(making);
      if (!closed && !making.outdated) {
        standing.addFirst(context);
      }
    }
    proceed();
  }

  /**
   * Ends one of the makings, and fails those who wait, unless they have another context.
   *
   * @param othersMaySucceed whether other makings are waited for: they may have the answer that this one has not got
   */
  private void failed(Making making, String reason, boolean othersMaySucceed) {
    boolean needed;
    synchronized (this) {
      makings.remove(making);
      pause();
      needed = othersMaySucceed ? isLast() : standing.isEmpty();
    }
    if (needed) {
      failAll("No context of RPCSEC_GSS can be made: " + reason);
    } else {
      proceed();
    }
  }

  /** Keeps calls that wait for a number from having contexts begun again and again; with the lock. */
  private void pause() {
    pauses = true;
    pausesUntil = clock.getAsLong() + PAUSE_NANOS;
  }

  /** Puts a making in the place of one that has ended; false if those who wait have others. */
  private boolean replace(Making making, Making next) {
    boolean ended;
    boolean needed;
    synchronized (this) {
      makings.remove(making);
      ended = closed;
      needed = !closed && isLast();
      if (needed) {
        makings.add(next);
      } else {
        pause();
      }
    }
    if (ended) {
      failAll(CLOSED);
    } else if (!needed) {
      proceed();
    }
    return needed;
  }

  /** Ends one of the makings: those who wait go on waiting, since their calls end with their connections. */
  private synchronized void unreachable(Making making) {
    makings.remove(making);
  }

  private synchronized void asking(Making making, boolean server) {
    making.asking = server;
    making.slow = false;
  }

  private void slow(Making making) {
    synchronized (this) {
      making.slow = making.asking;
    }
    proceed();
  }

  private void perform(Making making, Runnable task) {
    try {
      handshakes.execute(task);
    } catch (RejectedExecutionException e) {
      making.fail("its thread has ended");
    }
  }

  /** The making of one context: tokens go back and forth until both ends have what they need. */
  private final class Making {

    /** Null before the first step. */
    private GssHandshake handshake;
    private byte[] handle = {};
    private int tokens;
    private GssHandshake.Established established;
    /** Whether another one may follow if the server forgets this one half made. */
    private final boolean first;
    /** How many may be begun if connections are lost, with this one. */
    private final int attempts;
    /** Whether it waits for the server, and not for the mechanism; guarded by the client. */
    private boolean asking;
    /** Whether the server has not answered for a while; guarded by the client. */
    private boolean slow;
    /** Whether the server may have forgotten it, as others that it had; guarded by the client. */
    private boolean outdated;

    Making(boolean first, int attempts) {
      this.first = first;
      this.attempts = attempts;
    }

    void begin() {
      goOn(new byte[0]);
    }

    /** The server waits for another token. */
    private void goOn(byte[] token) {
      Optional<byte[]> next = next(token);
      if (next.isEmpty()) {
        return;
      }
      if (next.get().length == 0) {
        fail(DISAGREE);
      } else if (tokens++ == MOST_TOKENS) {
        fail("it takes more than " + MOST_TOKENS + " tokens");
      } else {
        send(next.get());
      }
    }

    /** What the mechanism makes of a token: a token, of no bytes if it needs none; empty if it has failed. */
    private Optional<byte[]> next(byte[] token) {
      try {
        if (handshake == null) {
          handshake = mechanism.get();
        }
        GssHandshake.Step step = handshake.next(token);
        step.established().ifPresent(made -> established = made);
        return Optional.of(step.token());
      } catch (GssFailure e) {
        fail(e.getMessage());
      } catch (Throwable e) {
        // Whatever a mechanism throws, calls must not wait for it.
        fail("the mechanism has failed: " + words(e));
      }
      return Optional.empty();
    }

    /** A mechanism's failure may fail to say what it is, too. */
    private static String words(Throwable thrown) {
      try {
        return thrown.toString();
      } catch (Throwable e) {
        return thrown.getClass().getName();
      }
    }

    private void send(byte[] token) {
      GssProcedure procedure = tokens == 1 ? GssProcedure.INIT : GssProcedure.CONTINUE_INIT;
      asking(this, true);
      exchange.create(new GssCredential(version(), procedure, 0, GssService.NONE, handle).encode(), token,
          new GssExchange.Listener() {
            @Override
            public void slow() {
              GssClient.this.slow(Making.this);
            }

            @Override
            public void answered(GssInitResult result, OpaqueAuth verifier) {
              asking(Making.this, false);
              perform(Making.this, () -> Making.this.answered(result, verifier));
            }

            @Override
            public void failed(String reason) {
              fail(reason);
            }

            @Override
            public void lost(String reason) {
              if (attempts > 1) {
                anew(new Making(first, attempts - 1));
              } else {
                fail(reason);
              }
            }

            @Override
            public void silent(String reason) {
              handshake.dispose();
              GssClient.this.failed(Making.this, reason, true);
            }

            @Override
            public void unreachable() {
              handshake.dispose();
              GssClient.this.unreachable(Making.this);
            }
          });
    }

    private void answered(GssInitResult result, OpaqueAuth verifier) {
      if (result.major() == GssServer.NO_CONTEXT && first) {
        // It has dropped what was half made for others, or has been started anew.
        anew(new Making(false, attempts));
        return;
      }
      if (!result.isGood()) {
        fail("the server refuses it: " + handshake.words(result.minor()).map(words -> words + " (" + result + ')')
            .orElse(result.toString()));
        return;
      }
      handle = result.handle();
      if (result.major() == GssInitResult.CONTINUE_NEEDED) {
        goOn(result.token());
      } else if (result.token().length == 0) {
        complete(result.window(), verifier);
      } else {
        next(result.token()).ifPresent(none -> {
          if (none.length == 0) {
            complete(result.window(), verifier);
          } else {
            fail(DISAGREE);
          }
        });
      }
    }

    private void anew(Making next) {
      handshake.dispose();
      if (replace(this, next)) {
        perform(next, next::begin);
      }
    }

    /** RFC 2203 §5.2.3.1: the server signs the window, or anybody could say another one. */
    private void complete(int window, OpaqueAuth verifier) {
      if (established == null) {
        fail(DISAGREE);
      } else if (window == 0 || !ClientContext.hasSigned(established.context(), window, verifier)) {
        fail("the server's answer does not prove that it has made the context");
      } else {
        long end = established.lifetime().map(time -> clock.getAsLong() + time.toNanos()).orElse(Long.MAX_VALUE);
        int used = (int) Math.min(Integer.toUnsignedLong(window), LARGEST_WINDOW);
        stands(this, new ClientContext(handle, established.context(), established.peer(), end,
            new SequenceNumbers(used, 1)));
      }
    }

    private void fail(String reason) {
      if (handshake != null) {
        handshake.dispose();
      }
      failed(this, reason, false);
    }
  }
}
