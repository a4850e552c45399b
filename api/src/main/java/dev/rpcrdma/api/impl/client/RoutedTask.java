// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.RpcCancelledException;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnectException;
import dev.rpcrdma.api.RpcTimeoutException;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.impl.call.Cancellable;
import dev.rpcrdma.api.impl.endpoint.ServerPlace;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.endpoint.Endpoint;
import io.vertx.core.net.endpoint.ServerInteraction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A task on its way: waits for the servers of its address, goes to one of them, and to another one if {@link
 * Failover} says so. One thing after the other, on whatever thread the one before has ended.
 *
 * <pre>
 *   ask ──known──▶ choose ──▶ over a server ──outcome──▶ finish
 *    │               ▲             │                       ▲
 *    └─ wait ─known──┤             └─ failed, may go on ─┐ │
 *         │          └──────────── ask ◀─────────────────┘ │
 *         └─ cancelled, too late, closed ──────────────────┘
 * </pre>
 *
 * @param <T> the type of its result
 */
final class RoutedTask<T> implements Resolution.Waiter, Cancellable {

  private static final Logger LOG = LoggerFactory.getLogger(RoutedTask.class);

  private final ResolvedChannel channel;
  private final ServerTask<T> task;
  private final Promise<T> promise;
  private final EventLoop loop;
  /** Each server once. */
  private Set<ServerPlace> tried = Set.of();
  /** What became of it with the server before; null with the first one. */
  private Throwable lastFailure;
  /** A server before may have executed it. */
  private boolean maybeExecuted;
  /** Guarded by this: it can be given up while it waits. */
  private boolean added;
  /** Guarded by this; null if it has not waited. */
  private ScheduledFuture<?> timer;
  /** Guarded by this. */
  private boolean finished;

  RoutedTask(ResolvedChannel channel, ServerTask<T> task) {
    this.channel = channel;
    this.task = task;
    this.promise = Contexts.promise(task.caller());
    this.loop = channel.loop();
  }

  /** Begins; once. */
  Future<T> begin() {
    ask();
    Future<T> outcome = promise.future();
    // After the end of Vert.x no context would call a listener any more.
    return outcome.failed() && loop.isShuttingDown() ? Future.failedFuture(outcome.cause()) : outcome;
  }

  private void ask() {
    switch (channel.resolution().ask(this)) {
      case WAITS -> waits();
      case FULL -> fail(new RpcTransportException(task.describe() + ": More than " + channel.mostWaiting()
          + " calls wait for the servers of " + channel.name() + "; raise maxQueuedCalls or slow down", false));
      case CLOSED -> fail(lastFailure != null ? lastFailure
          : new RpcClosedException(task.describe() + ": The channel is closed"));
      default -> {
        // It has gone on.
      }
    }
  }

  // While it waits

  private void waits() {
    synchronized (this) {
      if (finished) {
        return;
      }
      if (!added) {
        added = true;
        task.add(this);
      }
      if (timer != null) {
        // Of an earlier wait; it may have run while a server was tried.
        timer.cancel(false);
      }
      try {
        timer = loop.schedule(this::tooLate, task.deadline() - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        timer = null;
      }
    }
    if (task.isCancelled()) {
      giveUpOnLoop();
    } else if (loop.isShuttingDown() && channel.resolution().remove(this)) {
      fail(LoopCalls.closed().cause());
    }
  }

  private void tooLate() {
    if (channel.resolution().remove(this)) {
      fail(noTime());
    }
  }

  private RpcTimeoutException noTime() {
    return new RpcTimeoutException(task.describe() + ": The servers of " + channel.name()
        + " were not known within the call's timeout", false);
  }

  @Override
  public void giveUp() {
    try {
      loop.execute(this::giveUpOnLoop);
    } catch (RejectedExecutionException e) {
      // Vert.x is closed, and nobody hears of anything any more.
    }
  }

  private void giveUpOnLoop() {
    if (channel.resolution().remove(this)) {
      fail(new RpcCancelledException(task.describe() + ": The call was cancelled before it was sent", false));
    }
  }

  /** The channel is closed; it has been removed from those that wait. */
  void closed() {
    fail(new RpcClosedException(task.describe() + ": The channel was closed"));
  }

  // On its way

  @Override
  public void resolved(Endpoint endpoint, Throwable failure) {
    if (failure != null) {
      unresolved(failure);
      return;
    }
    if (task.deadline() - System.nanoTime() <= 0) {
      fail(noTime());
      return;
    }
    Selection chosen;
    try {
      chosen = channel.choose(endpoint, task.key(), tried);
    } catch (RpcClosedException e) {
      fail(e);
      return;
    } catch (Throwable e) {
      // Errors too: a resolver or a load balancer may be another jar's, and others wait for their turn.
      unresolved(e);
      return;
    }
    if (chosen != null) {
      over(chosen);
    } else if (lastFailure != null) {
      fail(lastFailure);
    } else {
      channel.unresolved("It has no servers");
      fail(new RpcConnectException(task.describe() + ": " + channel.name()
          + " has no servers; its resolver knows of none", null));
    }
  }

  private void unresolved(Throwable cause) {
    channel.unresolved(Causes.message(cause));
    fail(new RpcConnectException(task.describe() + ": The servers of " + channel.name()
        + " cannot be found: " + Causes.message(cause), cause));
  }

  private void over(Selection chosen) {
    ServerInteraction interaction = begun(chosen);
    attempt(chosen).onComplete((result, failure) -> {
      report(interaction, failure);
      chosen.server().exit();
      if (failure == null) {
        finish(result, null);
      } else if (Failover.mayGoOn(failure, task.harmless(), task.replicated())) {
        goOn(chosen.server().place(), failure);
      } else {
        fail(failure);
      }
    });
  }

  private Future<T> attempt(Selection chosen) {
    try {
      return task.over(chosen.server().part());
    } catch (Throwable e) {
      return Future.failedFuture(e);
    }
  }

  private void goOn(ServerPlace from, Throwable failure) {
    if (tried.isEmpty()) {
      tried = new HashSet<>();
    }
    tried.add(from);
    maybeExecuted |= Failover.maybeExecuted(failure);
    suppressLast(failure);
    lastFailure = failure;
    ask();
  }

  // What load balancers go by

  private static ServerInteraction begun(Selection chosen) {
    try {
      ServerInteraction interaction = chosen.endpoint().newInteraction();
      interaction.reportRequestBegin();
      return interaction;
    } catch (Throwable e) {
      balancerFailed(e);
      return null;
    }
  }

  /** What a server answers is no failure of it. */
  private static void report(ServerInteraction interaction, Throwable failure) {
    if (interaction == null) {
      return;
    }
    try {
      if (failure == null || Failover.isAnswer(failure)) {
        interaction.reportRequestEnd();
        interaction.reportResponseBegin();
        interaction.reportResponseEnd();
      } else {
        interaction.reportFailure(failure);
      }
    } catch (Throwable e) {
      balancerFailed(e);
    }
  }

  private static void balancerFailed(Throwable cause) {
    LOG.warn("A load balancer could not be told of a call", cause);
  }

  // Its outcome

  private void fail(Throwable cause) {
    suppressLast(cause);
    finish(null, maybeExecuted ? Failover.maybeExecutedBefore(cause) : cause);
  }

  private void suppressLast(Throwable failure) {
    // Those who wait for the same connection have the same failures.
    if (lastFailure != null && lastFailure != failure && !List.of(failure.getSuppressed()).contains(lastFailure)) {
      failure.addSuppressed(lastFailure);
    }
  }

  private void finish(T result, Throwable failure) {
    synchronized (this) {
      finished = true;
      if (timer != null) {
        timer.cancel(false);
      }
      if (added) {
        task.forget(this);
      }
    }
    task.end();
    if (failure == null) {
      promise.complete(result);
    } else {
      promise.fail(failure);
    }
  }
}
