// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A verticle that begins something and is gone: its timers, and its only worker, which is busy until then. */
public final class ShortVerticle extends VerticleBase {

  private final Supplier<Future<?>> what;
  private final CountDownLatch gone = new CountDownLatch(1);

  private ShortVerticle(Supplier<Future<?>> what) {
    this.what = what;
  }

  /**
   * Deploys and undeploys one.
   *
   * @param vertx where
   * @param what it begins
   * @param <T> of what that comes to
   * @return what was begun; the verticle is gone
   */
  public static <T> Future<T> begins(Vertx vertx, Supplier<Future<T>> what) {
    List<Future<T>> begun = new ArrayList<>();
    ShortVerticle verticle = new ShortVerticle(() -> {
      begun.add(what.get());
      return Future.succeededFuture();
    });
    Waiting.await(vertx.deployVerticle(verticle, new DeploymentOptions()
        .setWorkerPoolName("of-a-short-verticle").setWorkerPoolSize(1)).compose(vertx::undeploy));
    verticle.gone.countDown();
    return begun.get(0);
  }

  @Override
  public Future<?> start() {
    vertx.executeBlocking(() -> gone.await(Waiting.DEADLINE.toMillis(), TimeUnit.MILLISECONDS), false);
    return what.get();
  }
}
