// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.Future;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Stands between an application and the calls that it makes: may change options and headers, answer by itself, measure,
 * or make the call again. Those that were added first are nearest to the application.
 */
public interface CallInterceptor {

  /**
   * Makes a call, on the thread of who makes it. What it throws, and null for a future, fail the call. Arguments are
   * encoded each time that {@code next} is called.
   *
   * @param request what the application calls
   * @param next makes it, or hands it on; any number of times
   * @param <T> the type of the results
   * @return the outcome that the application gets
   */
  <T> Future<T> call(RpcRequest<T> request, RpcCaller next);

  /**
   * Changes the options of calls, and nothing else.
   *
   * @param change gets a request and its options, and returns the options to call with
   * @return an interceptor
   */
  static CallInterceptor options(BiFunction<RpcRequest<?>, CallOptions, CallOptions> change) {
    Objects.requireNonNull(change, "change");
    return new CallInterceptor() {
      @Override
      public <T> Future<T> call(RpcRequest<T> request, RpcCaller next) {
        return next.call(request.withOptions(change.apply(request, request.options())));
      }
    };
  }
}
