// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.NoDataMemberInClusterException;
import dev.rpcrdma.cluster.ClusterDirectory;
import dev.rpcrdma.cluster.ClusterProgram;
import dev.rpcrdma.cluster.ClusterServer;
import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.tools.command.Futures;
import dev.rpcrdma.tools.command.HostPort;
import dev.rpcrdma.tools.command.MemberConfig;
import dev.rpcrdma.tools.command.Printable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the servers that have made themselves known in a cluster. */
@Command(
    name = "cluster",
    description = "List the servers in a Hazelcast cluster of Vert.x that have made themselves known: where they are, "
        + "what they serve, how many connections and calls they have, and whether they are about to close.")
final class ClusterCommand implements Callable<Integer> {

  private static final int DEADLINE_SECONDS = 60;
  /** Logs a stack trace if nobody answers, which this command tells in a line. */
  private static final Logger VERTX = Logger.getLogger("io.vertx.core.impl.VertxImpl");

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
  private boolean help;

  @Option(names = "--member", paramLabel = "HOST:PORT", required = true, converter = HostPort.class,
      description = "A member of the cluster, by its Hazelcast port; may be given several times.")
  private List<SocketAddress> members;

  @Option(names = "--cluster", paramLabel = "NAME", description = "The cluster's name (${DEFAULT-VALUE}).")
  private String cluster = "dev";

  @Option(names = "--interface", paramLabel = "IP",
      description = "The address of this machine by which members reach it (${DEFAULT-VALUE}).")
  private String address = "127.0.0.1";

  @Option(names = "--map", paramLabel = "NAME", description = "The map that servers are in (${DEFAULT-VALUE}).")
  private String map = DirectoryOptions.DEFAULT_MAP;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    VERTX.setLevel(Level.OFF);
    HazelcastClusterManager manager = new HazelcastClusterManager(config());
    Vertx vertx = join(manager);
    try {
      ClusterDirectory directory = ClusterDirectory.open(vertx, DirectoryOptions.DEFAULT.withMap(map));
      print(await(directory.refresh()));
    } finally {
      await(vertx.close());
    }
    return 0;
  }

  /** Joins the cluster; whoever holds no data cannot be a cluster alone. */
  private Vertx join(HazelcastClusterManager manager) throws Exception {
    try {
      return await(Vertx.builder()
          .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost(address)))
          .withClusterManager(manager).buildClustered());
    } catch (Exception e) {
      HazelcastInstance instance = manager.getHazelcastInstance();
      if (instance != null) {
        instance.shutdown();
      }
      throw isAlone(e) ? new IOException("No member of the cluster \"" + cluster + "\" answers at " + members.stream()
          .map(HostPort::text).collect(Collectors.joining(", ")), e) : e;
    }
  }

  private static boolean isAlone(Throwable failure) {
    return failure != null
        && (failure instanceof NoDataMemberInClusterException || isAlone(failure.getCause()));
  }

  /** Holds no data, so that nothing moves when it comes and goes. */
  private Config config() {
    return MemberConfig.of(cluster, address,
        members.stream().map(HostPort::text).toList()).setLiteMember(true);
  }

  private void print(List<ClusterServer> servers) {
    PrintWriter out = Printable.out(spec);
    out.printf(Locale.ROOT, "%-24s %-12s %11s %8s %-9s %s%n", "server", "devices", "connections", "calls",
        "state", "programs");
    for (ClusterServer server : servers) {
      out.printf(Locale.ROOT, "%-24s %-12s %,11d %8s %-9s %s%n", HostPort.host(server.host()) + ":" + server.port(),
          String.join(",", server.devices()), server.connections(), calls(server),
          server.draining() ? "draining" : "up",
          server.programs().stream().map(ClusterProgram::toString).collect(Collectors.joining(", ")));
    }
    out.printf(Locale.ROOT, "%d servers on %d nodes%n", servers.size(),
        servers.stream().map(ClusterServer::node).distinct().count());
  }

  private static String calls(ClusterServer server) {
    return server.calls().isPresent() ? String.format(Locale.ROOT, "%,d", server.calls().getAsInt()) : "-";
  }

  private static <T> T await(Future<T> future) throws Exception {
    return Futures.await(future.timeout(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }
}
