// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.overload;

import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Measures each system in turn, several times. */
public final class OverloadBench {

  /** How many times as many calls as the services can do. */
  private static final double FACTOR = 5;

  private OverloadBench() {}

  /**
   * Measures.
   *
   * @param repetitions how often
   * @param seconds how long each time
   * @return goodput and recovery of each system
   * @throws IOException if there is no other process
   * @throws TimeoutException if a system does not recover
   */
  public static List<Figure> measure(int repetitions, double seconds) throws IOException, TimeoutException {
    Map<String, SlowPeer> systems = new LinkedHashMap<>();
    List<Figure> figures = new ArrayList<>();
    try (PeerProcess process = PeerProcess.start(OverloadPeer.class)) {
      systems.put("siw", SlowOwn.connect(process.port(0)));
      systems.put("siw_default", SlowOwn.connect(process.port(1)));
      systems.put("vertx_grpc", SlowGrpc.connect(process.port(2)));
      systems.put("event_bus", SlowEventBus.connect(process.port(3)));
      for (Map.Entry<String, SlowPeer> system : systems.entrySet()) {
        double[] goodput = new double[repetitions];
        double[] first = new double[repetitions];
        Overload.run(system.getValue().work(), 0.5, seconds);
        for (int i = 0; i < repetitions; i++) {
          Overload.Result result = Overload.run(system.getValue().work(), FACTOR, seconds);
          goodput[i] = result.goodput();
          first[i] = result.firstMillis();
        }
        figures.add(new Figure(system.getKey() + "_goodput", "%", goodput));
        figures.add(new Figure(system.getKey() + "_first", "ms", first));
      }
      systems.values().forEach(SlowPeer::close);
    }
    return figures;
  }
}
