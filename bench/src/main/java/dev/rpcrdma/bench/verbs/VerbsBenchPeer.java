// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.verbs;

import dev.rpcrdma.bench.measure.Allocations;
import dev.rpcrdma.bench.measure.BaselineServers;
import dev.rpcrdma.bench.measure.Footprint;
import dev.rpcrdma.bench.measure.Waits;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsListener;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The other process: two devices, with and without CRC, that echo, count, and lend memory. */
public final class VerbsBenchPeer {

  private VerbsBenchPeer() {}

  /**
   * Serves until standard input ends. Its lines are {@code allocated}, answered with what event loops
   * have allocated so far, and {@code footprint}, with what the process holds.
   *
   * @param arguments none
   * @throws Exception if something cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    VerbsListener checked = listen(vertx, true);
    VerbsListener unchecked = listen(vertx, false);
    VerbsListener idle = listenIdle(vertx);
    try (BaselineServers baselines = new BaselineServers(vertx);
        BufferedReader in = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println(baselines.echoPort() + " " + baselines.sinkPort() + " "
          + checked.localAddress().port() + " " + unchecked.localAddress().port() + " "
          + idle.localAddress().port());
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        System.out.println(line.equals("footprint") ? Footprint.bytes()
            : Allocations.ofEventLoops());
      }
    }
    System.exit(0);
  }

  private static VerbsListener listen(Vertx vertx, boolean crc) {
    VerbsDevice device = VerbsProviders.named("siw").open(vertx,
        DeviceOptions.DEFAULT.withSettings(new JsonObject().put("crc", crc)));
    ProtectionDomain domain = device.allocateProtectionDomain();
    LocalMemory large = Wire.memory(domain, Wire.LARGE);
    return Waits.await(device.listen(vertx.getOrCreateContext(),
        SocketAddress.inetSocketAddress(0, Wire.HOST), request -> {
          LocalMemory receives = Wire.memory(domain, Wire.RECEIVES * Wire.SMALL);
          request.accept(vertx.getOrCreateContext(), domain, Wire.OPTIONS,
              pair -> new EchoEnd(pair, receives, large));
        }));
  }

  private static VerbsListener listenIdle(Vertx vertx) {
    // They all come from here.
    VerbsDevice device = VerbsProviders.named("siw").open(vertx, DeviceOptions.DEFAULT
        .withSettings(new JsonObject().put("maxConnectionsPerAddress", Integer.MAX_VALUE)));
    ProtectionDomain domain = device.allocateProtectionDomain();
    LocalMemory receives = Wire.memory(domain, IdleEnd.RECEIVES * Wire.SMALL);
    Context context = vertx.getOrCreateContext();
    return Waits.await(device.listen(context, SocketAddress.inetSocketAddress(0, Wire.HOST),
        request -> request.accept(context, domain, ConnectionOptions.DEFAULT,
            pair -> new IdleEnd(pair, receives))));
  }
}
