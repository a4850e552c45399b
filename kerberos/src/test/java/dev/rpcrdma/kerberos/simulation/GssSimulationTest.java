// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.kerberos.gss.ForgetfulAuthenticator;
import dev.rpcrdma.kerberos.gss.GssClient;
import dev.rpcrdma.kerberos.gss.GssServer;
import dev.rpcrdma.kerberos.gss.GssServerSettings;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.gss.ToyMechanism;
import dev.rpcrdma.kerberos.gss.WatchedAuthenticator;
import dev.rpcrdma.protocol.connection.SimulatedFabric;
import dev.rpcrdma.protocol.connection.SimulationTest;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.Verdict;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The programs of {@link SimulationTest} with RPCSEC_GSS in both directions, with all four services, small windows,
 * contexts that end or are forgotten in the middle, and what takes long done on other threads. No call may be refused,
 * or dropped by a window.
 */
@Tag("seeded")
class GssSimulationTest {

  private static final int SEEDS = Integer.getInteger("rpcrdma.seeds", 1_000);
  private static final GssServerSettings BOUNDS = new GssServerSettings(64, 4, 128, 1_000_000_000L);

  private final SimulationTest programs = new SimulationTest();
  private final List<GssClient> clients = new ArrayList<>();
  private int dropped;
  private int made;

  @Test
  @DisplayName("R-331 R-332 R-333 R-334: calls of all forms, both ways, with each service, undisturbed")
  void undisturbed() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, SimulatedFabric.Faults.NONE, 0, 0, Optional.empty());
    }
    assertThat(made).as("contexts").isGreaterThan(SEEDS);
  }

  @Test
  @DisplayName("Contexts that end, or that the server forgets, are replaced, and no caller notices")
  void contextsEnd() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, SimulatedFabric.Faults.NONE, 0, 0, Optional.of(Duration.ofSeconds(3600)));
    }
  }

  @Test
  @DisplayName("A cut connection, and memory that cannot be had, end every call once")
  void faults() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, new SimulatedFabric.Faults(4, 10, 10, 200), 0, 0, Optional.empty());
    }
  }

  @Test
  @DisplayName("Calls that are given up leave the window to others")
  void givenUp() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed, new SimulatedFabric.Faults(1, 10, 10, 200), 100, 100, Optional.empty());
    }
  }

  private void run(long seed, SimulatedFabric.Faults faults, int cancels, int timeouts, Optional<Duration> lifetime) {
    clients.clear();
    dropped = 0;
    programs.run(seed, faults, cancels, timeouts, fabric -> secure(fabric, new Random(seed * 31), lifetime));
    assertThat(dropped).as("Seed %d: calls dropped by a window", seed).isZero();
  }

  private void secure(SimulatedFabric fabric, Random random, Optional<Duration> lifetime) {
    for (SimulatedFabric.End end : List.of(fabric.client, fabric.server)) {
      GssService service = GssService.values()[random.nextInt(4)];
      ToyMechanism mechanism = new ToyMechanism(lifetime.isPresent() ? 1 : 1 + random.nextInt(3), lifetime);
      int window = 1 + random.nextInt(random.nextBoolean() ? 3 : 100);
      GssServer server = server(fabric, mechanism, new GssServerSettings(64, 4, window, BOUNDS.unfinishedNanos()));
      SimulatedFabric.End peer = end == fabric.client ? fabric.server : fabric.client;
      peer.authenticator = lifetime.isPresent() ? forgetful(server, fabric, mechanism, random) : counting(server);
      GssClient client = new GssClient(service, mechanism.initiator("user of " + end.name),
          new SimulatedExchange(fabric, end), fabric.work::add, fabric.work::add, () -> fabric.now);
      clients.add(client);
      end.protector = client;
    }
  }

  private GssServer server(SimulatedFabric fabric, ToyMechanism mechanism, GssServerSettings settings) {
    return new GssServer(settings, () -> {
      made++;
      return mechanism.acceptor().get();
    }, this::handle, fabric.work::add, () -> fabric.now, Authenticator.PLAIN);
  }

  private byte[] handle() {
    return ByteBuffer.allocate(4).putInt(made).array();
  }

  private Authenticator counting(Authenticator judge) {
    return new WatchedAuthenticator(judge, (call, verdict) -> dropped += verdict == Verdict.DROPPED ? 1 : 0);
  }

  /** Once, in the middle, all contexts are gone. */
  private Authenticator forgetful(GssServer first, SimulatedFabric fabric, ToyMechanism mechanism, Random random) {
    int when = random.nextInt(20);
    GssServer second = server(fabric, mechanism, BOUNDS);
    return counting(new ForgetfulAuthenticator(first, second, when));
  }
}
