// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Serves a program by another peer that serves it. Headers, arguments, results and rejections pass as they are; data
 * items are parts of the messages.
 *
 * @param binding the program
 * @param peer the peer
 */
public record Relay(UpperLayerBinding binding, RpcCaller peer) implements RpcService {

  /** Time that a call may take if its caller does not say how long it waits; no call takes longer. */
  public static final Duration LONGEST = Duration.ofDays(1);

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    byte[] arguments = rest(call.arguments());
    return peer.call(RpcRequest.to(binding, call.procedure()).arguments(out -> out.fixedOpaque(arguments))
        .replyBound(ReplyBound.UNPREDICTABLE).options(options(call).withTimeout(timeLeft(call))).results(Relay::rest).build())
        .<XdrEncoder>map(results -> out -> out.fixedOpaque(results))
        .recover(e -> Future.failedFuture(e instanceof RpcRejectedException rejected ? status(rejected) : e));
  }

  private static byte[] rest(XdrReader in) {
    return in.fixedOpaque(in.remaining());
  }

  private static Duration timeLeft(RpcCall call) {
    return Duration.ofMillis(Math.max(1, Math.min(call.millisLeft(), LONGEST.toMillis())));
  }

  /** A token over the event bus has any length, and is for the services there. It passes if there is room for it. */
  private static CallOptions options(RpcCall call) {
    try {
      return CallOptions.DEFAULT.withHeaders(call.headers());
    } catch (IllegalArgumentException e) {
      Map<String, String> others = new LinkedHashMap<>(call.headers());
      others.remove(Names.AUTH_TOKEN);
      return CallOptions.DEFAULT.withHeaders(others);
    }
  }

  private static RuntimeException status(RpcRejectedException rejected) {
    return rejected.authStatus().map(status -> new RpcStatusException(status, rejected.getMessage()))
        .or(() -> rejected.acceptStatus().filter(status -> status != AcceptStatus.PROG_MISMATCH)
            .map(status -> new RpcStatusException(status, rejected.getMessage())))
        .<RuntimeException>map(status -> status).orElse(rejected);
  }
}
