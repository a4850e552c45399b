// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.KernelDevice;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A server on a device of the lab's VM, and callers of one, which call until a call fails. */
final class DeviceLoad implements AutoCloseable {

  private static final int CALLERS = 8;
  private static final int CALLS = 100;
  /** Longer than others wait: classes and libraries are loaded meanwhile, on a machine that is emulated. */
  private static final Duration WITHIN = Duration.ofMinutes(2);

  private final KernelDevice device;
  private final RpcServer server;
  private final RpcClient client;
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger calling = new AtomicInteger();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private RpcChannel channel;

  /** Listens on a free port, and gives up soon what is lost. */
  DeviceLoad(Vertx vertx, KernelDevice device) {
    this.device = device;
    JsonObject settings = new JsonObject().put("device", device.deviceName());
    server = RpcServer.builder(vertx).with(new RpcServerOptions().setProvider("ibverbs").setProviderOptions(settings)
        .setDrainTimeout(Duration.ofMillis(500))).build().bind(new EchoService()).connectionHandler(accepted::add);
    patiently(server.listen(SocketAddress.inetSocketAddress(0, device.address())));
    client = RpcClient.builder(vertx).with(new RpcClientOptions().setProvider("ibverbs").setProviderOptions(settings)
        .setReconnectAttempts(2).setReconnectDelay(Duration.ofMillis(10)).setDrainTimeout(Duration.ofMillis(500)))
        .build();
  }

  private static void patiently(Future<?> future) {
    try {
      future.toCompletionStage().toCompletableFuture().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("Not within two minutes", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }

  int port() {
    return server.actualPort();
  }

  /** How many connections its server has. */
  int connections() {
    return server.connectionCount();
  }

  /**
   * Waits until a peer calls its server, over a connection that was not told of yet. On a machine that is emulated a
   * peer may lose its first one to a deadline, and come back by another.
   */
  RpcConnection awaitServing() {
    List<RpcConnection> since = new ArrayList<>();
    List<RpcConnection> serving = new ArrayList<>();
    try {
      Waiting.until(WITHIN, () -> {
        accepted.drainTo(since);
        since.removeIf(each -> each.closeFuture().isComplete());
        since.stream().filter(each -> Waiting.await(each.snapshot()).calls().served() >= CALLS).findFirst()
            .ifPresent(serving::add);
        return !serving.isEmpty();
      });
    } catch (AssertionError e) {
      throw new AssertionError(device + ": " + since.stream().map(each -> Waiting.await(each.snapshot())).toList(), e);
    }
    return serving.get(0);
  }

  /** Calls the server at a port of the device until a call fails, in several loops. */
  DeviceLoad begin(int port) {
    channel = client.channel(SocketAddress.inetSocketAddress(port, device.address()));
    patiently(channel.connect());
    calling.set(CALLERS);
    IntStream.range(0, CALLERS).forEach(this::again);
    return this;
  }

  private void again(int number) {
    call(number).onSuccess(answer -> {
      answered.incrementAndGet();
      again(number);
    }).onFailure(failure -> {
      failures.add(failure);
      calling.decrementAndGet();
    });
  }

  /** A call that is short, or one whose argument is read and whose result is written by RDMA. */
  Future<?> call(int number) {
    byte[] bytes = new byte[number % 2 == 0 ? 100 : 300_000];
    return channel.call(number % 2 == 0 ? EchoService.echo(bytes) : EchoService.echoPlaced(DataItem.of(bytes)));
  }

  /** Waits until the calls are well under way. */
  DeviceLoad awaitProgress() {
    int before = answered.get();
    Waiting.until(WITHIN, () -> answered.get() >= before + CALLS || calling.get() == 0);
    if (calling.get() != CALLERS) {
      throw new AssertionError(this + ": a call has failed");
    }
    return this;
  }

  /** Waits until each loop has ended by a failure. */
  void awaitFailures() {
    Waiting.until(WITHIN, () -> calling.get() == 0);
    if (failures.size() != CALLERS || failures.stream().anyMatch(failure -> !(failure instanceof RpcException))) {
      throw new AssertionError(toString());
    }
  }

  /** What has become of the calls. */
  @Override
  public String toString() {
    Map<String, Integer> kinds = new TreeMap<>();
    failures.forEach(failure -> kinds.merge(failure.getClass().getSimpleName() + ": " + failure.getMessage(), 1,
        Integer::sum));
    return device + ": " + answered + " calls answered, then " + kinds;
  }

  @Override
  public void close() {
    Waiting.await(client.close());
    Waiting.await(server.close());
  }
}
