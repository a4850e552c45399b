package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.CallPhase;
import dev.rpcrdma.api.CallSide;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.protocol.binding.ProgramNames;
import dev.rpcrdma.protocol.requester.CallStage;

/** A call that is watched, from when it is made until its caller has been told; on the loop. */
public final class CallObservation {

  private static final long NEVER = Long.MIN_VALUE;

  private final RpcRequest<?> request;
  private final CallMetrics metrics;
  private final LoopStatistics statistics;
  private final CallMetrics.Tokens tokens;
  private final long madeAt;
  private long creditAt = NEVER;
  private long sentAt = NEVER;
  private long repliedAt = NEVER;
  private long serverNanos = NEVER;

  CallObservation(RpcRequest<?> request, CallMetrics metrics, LoopStatistics statistics) {
    this.request = request;
    this.metrics = metrics;
    this.statistics = statistics;
    this.tokens = metrics == null ? null : new CallMetrics.Tokens();
    if (metrics != null) {
      metrics.begin(tokens, ProgramNames.procedure(request.programName(), request.name()), request);
    }
    this.madeAt = System.nanoTime();
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
          metrics.credit(tokens);
        }
      }
      case SENT -> sentAt = now;
      case REPLIED -> repliedAt = now;
      default -> throw new IllegalArgumentException("No such stage: " + stage);
    }
  }

  /** Whether the server shall say how long it takes. */
  public boolean wantsServerTime() {
    return statistics != null;
  }

  /** The server has said how long it took. */
  public void serverTook(long nanos) {
    serverNanos = nanos;
  }

  /** Its caller has been told. */
  public void end(boolean success) {
    if (metrics != null) {
      metrics.end(tokens, success);
    }
    if (statistics == null) {
      return;
    }
    long now = System.nanoTime();
    ProcedureCalls calls = statistics.of(CallSide.REQUESTER, request.programName(), request.version(), request.name());
    calls.ended(success, now - madeAt);
    if (creditAt != NEVER) {
      calls.add(CallPhase.CREDIT, creditAt - madeAt);
    }
    if (sentAt != NEVER) {
      calls.add(CallPhase.REGISTRATION, sentAt - creditAt);
    }
    if (repliedAt != NEVER) {
      calls.add(CallPhase.REPLY, repliedAt - sentAt);
      calls.add(CallPhase.CALLBACK, now - repliedAt);
    }
    if (serverNanos != NEVER) {
      calls.add(CallPhase.SERVER, serverNanos);
    }
  }
}
