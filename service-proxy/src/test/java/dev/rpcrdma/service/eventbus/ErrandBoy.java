// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.service.fixture.ErrandEvents;
import dev.rpcrdma.service.fixture.Errands;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Does what it is asked to, and tells of what it hears. */
final class ErrandBoy implements Errands {

  /** What it has heard. */
  final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  /** What it has been lent last. */
  volatile Payload lent;
  /** What it has given away last. */
  volatile Payload given;
  /** Of its last call. */
  volatile Context context;
  /** Whom it calls itself; null for nobody. */
  volatile RpcCaller next;
  /** What "given" fails with. */
  volatile RuntimeException failure;

  @Override
  public Future<String> echo(String text) {
    context = Vertx.currentContext();
    return Future.succeededFuture(text);
  }

  @Override
  public Future<Void> fail(String how) {
    return switch (how) {
      case "service" -> Future.failedFuture(new ServiceException(7, "no: ß", new JsonObject().put("a", 1)));
      case "status" -> Future.failedFuture(new RpcStatusException(AcceptStatus.PROC_UNAVAIL, "not now"));
      case "null" -> null;
      case "given" -> Future.failedFuture(failure);
      case "given and thrown" -> throw failure;
      case "thrown" -> throw new IllegalStateException("thrown on purpose");
      case "error" -> throw new NoClassDefFoundError("on purpose");
      default -> Future.failedFuture(new IllegalStateException("on purpose"));
    };
  }

  @Override
  public Future<Void> never() {
    Promise<Void> promise = Promise.promise();
    RpcCall.current().abandonHandler(nobody -> {
      heard.add("abandoned");
      promise.tryFail("in vain");
    });
    heard.add("begun");
    return promise.future();
  }

  @Override
  public Future<Long> sum(Payload content) {
    lent = content;
    long sum = 0;
    for (ByteBuffer bytes = content.bytes(); bytes.hasRemaining();) {
      sum += bytes.get();
    }
    return Future.succeededFuture(sum);
  }

  @Override
  public Future<Payload> fill(int length, Payload target) {
    Payload payload = Payload.allocate(Vertx.currentContext().owner(), length);
    for (ByteBuffer bytes = payload.bytes(); bytes.hasRemaining();) {
      bytes.put((byte) 1);
    }
    given = payload;
    return Future.succeededFuture(payload);
  }

  @Override
  public Future<Payload> same(Payload content) {
    return Future.succeededFuture(content.retain());
  }

  @Override
  public Future<String> look(String what) {
    RpcCall call = RpcCall.current();
    return Future.succeededFuture(switch (what) {
      case "headers" -> new TreeMap<>(call.headers()).toString();
      case "user" -> call.user().map(RpcUser::name).orElse("nobody");
      case "attributes" -> call.attributes().toString();
      case "millis" -> Long.toString(call.millisLeft());
      case "numbers" -> call.program() + " " + call.version() + " " + call.procedure();
      default -> "nothing";
    });
  }

  @Override
  public Future<Long> ask(long value) {
    return RpcCall.current().peer().proxy(ErrandEvents.class).asked(value);
  }

  @Override
  public Future<Void> nest() {
    // Its own timeout is longer than that of what it is a part of.
    return next.proxy(Errands.class, CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(30))).never()
        .onFailure(e -> heard.add(e.getClass().getSimpleName()));
  }
}
