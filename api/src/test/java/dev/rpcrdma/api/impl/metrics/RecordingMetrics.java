// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.metrics;

import dev.rpcrdma.api.RpcRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.ClientMetrics;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes down what a backend of Vert.x's metrics is told of calls; in subclasses does something worse. */
public class RecordingMetrics implements VertxMetrics {

  public final List<String> events = new CopyOnWriteArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();

  /** What may go wrong in a backend, before each answer of its own. */
  public void misbehave(String where) {}

  /** What it gives to be known by. */
  public Object token(String kind) {
    return kind + numbers.incrementAndGet();
  }

  private void note(String event) {
    events.add(event);
    misbehave(event);
  }

  @Override
  public ClientMetrics<?, ?, ?> createClientMetrics(SocketAddress remote, String type, String namespace) {
    return new ClientMetrics<Object, Object, Object>() {
      @Override
      public Object init() {
        misbehave("init");
        return token("call");
      }

      @Override
      public void requestBegin(Object metric, String uri, Object request) {
        note(metric + " begins " + uri + " of " + type + " " + namespace + ((RpcRequest<?>) request).procedure());
      }

      @Override
      public void requestEnd(Object metric) {
        note(metric + " sent");
      }

      @Override
      public void responseBegin(Object metric, Object response) {
        note(metric + " answered");
      }

      @Override
      public void responseEnd(Object metric) {
        note(metric + " ended");
      }

      @Override
      public void requestReset(Object metric) {
        note(metric + " failed");
      }

      @Override
      public void connected() {
        note("connected");
      }

      @Override
      public void disconnected() {
        note("disconnected");
      }

      @Override
      public void close() {
        note("calls closed");
      }
    };
  }

  @Override
  public PoolMetrics<?, ?> createPoolMetrics(String type, String name, int maxSize) {
    if (!type.startsWith("rpcrdma")) {
      // One of Vert.x's own.
      return null;
    }
    return new PoolMetrics<Object, Object>() {
      @Override
      public Object enqueue() {
        misbehave("enqueue");
        return token("wait");
      }

      @Override
      public void dequeue(Object queued) {
        note(queued + " over");
      }

      @Override
      public Object begin() {
        misbehave("begin");
        return token(type + "-");
      }

      @Override
      public void end(Object used) {
        note(used + " back");
      }

      @Override
      public void close() {
        note(type + " closed");
      }
    };
  }
}
