// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.GuestProgram;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.testkit.lab.KernelResources;
import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * Two processes that call each other over each device, until one is killed. A program of the lab's VM, which starts
 * the one to be killed, survives it, and has to end by itself.
 */
public final class KilledPeer {

  /** What it says last. */
  public static final String OVER = "all is closed";

  private static final String PORT = "port of ";
  private static final int KILLED = 128 + 9;

  private final Vertx vertx = Vertx.vertx();
  /** Both are servers, and each has a client of the other one's server. */
  private final Map<KernelDevice, DeviceLoad> loads = new EnumMap<>(KernelDevice.class);

  private KilledPeer() {
    for (KernelDevice device : KernelDevice.values()) {
      loads.put(device, new DeviceLoad(vertx, device));
    }
  }

  /**
   * Survives if nothing is asked for.
   *
   * @param ports of the survivor's servers, one for each device, for the one that is to be killed
   * @throws InterruptedException never
   */
  public static void main(String[] ports) throws InterruptedException {
    KilledPeer peer = new KilledPeer();
    if (ports.length == 0) {
      try {
        peer.survive();
      } finally {
        Waiting.await(peer.vertx.close());
      }
      System.out.println(OVER);
    } else {
      peer.callUntilKilled(ports);
    }
  }

  private void callUntilKilled(String... ports) throws InterruptedException {
    loads.forEach((device, load) -> load.begin(Integer.parseInt(ports[device.ordinal()])));
    loads.forEach((device, load) -> System.out.println(PORT + device + " " + load.port()));
    new CountDownLatch(1).await();
  }

  private void survive() {
    // What is made by the first connection and kept is there then.
    loads.forEach(this::serveNewClient);
    Map<KernelDevice, String> before = resources();
    System.out.println("before: " + before);
    Map<KernelDevice, DeviceLoad> callers = new EnumMap<>(KernelDevice.class);
    try (GuestProgram victim = startVictim()) {
      loads.keySet().forEach(device -> callers.put(device, new DeviceLoad(vertx, device)
          .begin(Integer.parseInt(victim.awaitLine(PORT + device + " ")))));
      List<RpcConnection> served = loads.values().stream().map(DeviceLoad::awaitServing).toList();
      callers.values().forEach(DeviceLoad::awaitProgress);
      Set<Long> threads = victim.threads();
      assertThat(KernelResources.of(threads)).extracting(line -> line.substring(0, line.indexOf(':')))
          .contains("qp", "cm_id", "mr", "pd", "cq");
      System.out.println("under load: " + resources());

      long killed = System.nanoTime();
      assertThat(victim.kill().status()).isEqualTo(KILLED);
      for (RpcConnection connection : served) {
        Waiting.await(connection.closeFuture());
        print("gone: " + connection.localAddress(), killed);
      }
      callers.forEach((device, caller) -> {
        caller.awaitFailures();
        print(caller.toString(), killed);
        assertThat(Waiting.awaitFailure(caller.call(1))).isInstanceOf(RpcException.class);
      });
      Waiting.until(() -> KernelResources.of(threads).isEmpty());
      print("nothing of the dead one is left", killed);
    }
    callers.values().forEach(DeviceLoad::close);
    loads.forEach(this::serveNewClient);
    awaitResources(before);
    loads.values().forEach(DeviceLoad::close);
  }

  /** Which comes, calls, and goes. */
  private void serveNewClient(KernelDevice device, DeviceLoad load) {
    try (DeviceLoad client = new DeviceLoad(vertx, device)) {
      client.begin(load.port()).awaitProgress();
      load.awaitServing();
      assertThat(load.connections()).isOne();
    }
    Waiting.until(() -> load.connections() == 0);
  }

  private GuestProgram startVictim() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), KilledPeer.class.getName()));
    loads.values().forEach(load -> command.add("" + load.port()));
    return GuestProgram.start(command.toArray(String[]::new));
  }

  private Map<KernelDevice, String> resources() {
    Map<KernelDevice, String> counts = new EnumMap<>(KernelDevice.class);
    loads.keySet().forEach(device -> counts.put(device, KernelResources.counts(device)));
    return counts;
  }

  private void awaitResources(Map<KernelDevice, String> expected) {
    try {
      Waiting.until(() -> resources().equals(expected));
    } catch (AssertionError e) {
      throw new AssertionError(expected + " has become " + resources(), e);
    }
  }

  private static void print(String what, long since) {
    System.out.println(what + ", " + (System.nanoTime() - since) / 1_000_000 + " ms after the kill");
  }
}
