// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.CallPhase;
import dev.rpcrdma.api.CallSide;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.requester.CallStage;

/**
 * A call that is watched, from when it is made until its caller has been told; on the loop. Its times are those of the
 * loop's batches. Some calls are looked at closely: for them the clock is read, and the server asked, which takes as
 * long as much of a small call.
 */
public final class CallObservation extends VertxCallMetrics.Tokens {

  private static final long NEVER = Long.MIN_VALUE;

  private final RpcRequest<?> request;
  private final VertxCallMetrics metrics;
  private final LoopStatistics statistics;
  /** Whether what takes more than it is worth for each call is measured for this one. */
  private final boolean closely;
  private final long madeAt;
  private long creditAt = NEVER;
  private long exposingAt = NEVER;
  private long sentAt = NEVER;
  private long repliedAt = NEVER;
  private long callbackFrom = NEVER;
  private long serverNanos = NEVER;

  CallObservation(RpcRequest<?> request, VertxCallMetrics metrics, LoopStatistics statistics, long now) {
    this.request = request;
    this.metrics = metrics;
    this.statistics = statistics;
    this.closely = statistics != null && statistics.timesNext();
    this.madeAt = now;
    if (metrics != null) {
      metrics.begin(this, request);
    }
  }

  /**
   * It has got further. Of a call that is sent again the last time counts.
   *
   * @param now the time
   */
  public void reached(CallStage stage, long now) {
    switch (stage) {
      case CREDIT -> {
        creditAt = now;
        if (metrics != null) {
          metrics.credit(this);
        }
      }
      case EXPOSING -> exposingAt = now;
      case SENT -> sentAt = now;
      case REPLIED -> {
        repliedAt = now;
        callbackFrom = closely ? System.nanoTime() : NEVER;
      }
      default -> throw new IllegalArgumentException("No such stage: " + stage);
    }
  }

  /** Whether the server shall say how long it takes. */
  public boolean wantsServerTime() {
    return closely;
  }

  /** The server has said how long it took. */
  public void serverTook(long nanos) {
    serverNanos = nanos;
  }

  /**
   * Its caller has been told.
   *
   * @param now the time
   */
  public void end(boolean success, long now) {
    if (metrics != null) {
      metrics.end(this, success);
    }
    if (statistics != null) {
      count(statistics.of(CallSide.REQUESTER, request.programName(), request.version(), request.name()), success,
          now);
    }
  }

  private void count(ProcedureCalls calls, boolean success, long now) {
    calls.ended(success, now - madeAt);
    if (creditAt != NEVER) {
      calls.add(CallPhase.CREDIT, creditAt - madeAt);
    }
    if (sentAt != NEVER && exposingAt != NEVER) {
      calls.add(CallPhase.REGISTRATION, sentAt - exposingAt);
    }
    if (repliedAt != NEVER) {
      calls.add(CallPhase.REPLY, repliedAt - sentAt);
    }
    if (callbackFrom != NEVER) {
      calls.add(CallPhase.CALLBACK, System.nanoTime() - callbackFrom);
    }
    if (serverNanos != NEVER) {
      calls.add(CallPhase.SERVER, serverNanos);
    }
  }
}
