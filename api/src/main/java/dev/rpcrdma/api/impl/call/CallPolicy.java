// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.impl.metrics.CallMeter;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * How one end makes its calls to a peer, and serves those of the peer, over whatever connection.
 *
 * @param options for what calls leave open
 * @param security how both ends prove who they are
 * @param interceptors stand around calls and services
 * @param meter watches both; null if nobody does
 * @param executions bounds the calls that services execute at a time
 * @param verdicts bounds the tokens that are judged at a time in the same way, apart from the calls of services: a peer
 *     can show its token while services have as many calls as they may
 */
public record CallPolicy(RpcOptions<?> options, Security security, Interceptors interceptors, CallMeter meter,
    Executions executions, Executions verdicts) {

  /**
   * How calls prove who makes them.
   *
   * @param credentials what calls have that say nothing of it; asked for at each transmission
   * @param protectors what protects calls that have no credentials of their own, in place of those; null if nothing does
   * @param authenticator judges calls of the peer that have no handle
   */
  public record Security(Supplier<OpaqueAuth> credentials, CallProtectors protectors, Authenticator authenticator) {

    /** Credentials alone. */
    public static Security of(Supplier<OpaqueAuth> credentials) {
      return new Security(credentials, null, Authenticator.PLAIN);
    }

    /** This, with something that protects calls. */
    public Security withProtectors(CallProtectors by) {
      return new Security(credentials, by, authenticator);
    }
  }

  /** Creates a policy whose services execute no call yet. */
  public CallPolicy(RpcOptions<?> options, Security security, Interceptors interceptors, CallMeter meter) {
    this(options, security, interceptors, meter, executions(options), executions(options));
  }

  private static Executions executions(RpcOptions<?> options) {
    return new Executions(options.getMaxExecutions(), options.getServiceTimeout().toNanos());
  }

  /** That of an end with nothing but options. */
  public static CallPolicy of(RpcOptions<?> options) {
    return new CallPolicy(options, Security.of(options::getCredentials), Interceptors.NONE, null);
  }

  /** Returns this policy with a meter. */
  public CallPolicy watchedBy(CallMeter by) {
    return new CallPolicy(options, security, interceptors, by, executions, verdicts);
  }

  /** This, with calls that are protected. */
  public CallPolicy protectedBy(CallProtectors by) {
    return new CallPolicy(options, security.withProtectors(by), interceptors, meter, executions, verdicts);
  }

  /**
   * A caller whose calls go through no interceptors, or have gone through them.
   *
   * @param context gets outcomes of callers without one; calls are made on its loop
   * @param peer who is called, for spans; may give null
   * @param maker makes the calls, or fails them
   */
  public RpcCaller caller(Context context, Supplier<SocketAddress> peer, Consumer<Attempt<?>> maker) {
    return caller(context, Contexts.eventLoop(context), peer, maker);
  }

  /**
   * As above, with calls that are made on another event loop than that of the context.
   *
   * @param context gets outcomes of callers without one
   * @param loop calls are made on it
   */
  public RpcCaller caller(Context context, EventLoop loop, Supplier<SocketAddress> peer,
      Consumer<Attempt<?>> maker) {
    return new RpcCaller() {
      @Override
      public <T> Future<T> call(RpcRequest<T> request) {
        return ClientCall.make(request, context, loop, options.getTracingPolicy(), peer.get(), maker);
      }
    };
  }
}
