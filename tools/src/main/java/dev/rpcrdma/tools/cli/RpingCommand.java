// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.tools.command.Ending;
import dev.rpcrdma.tools.command.FabricOptions;
import dev.rpcrdma.tools.command.Futures;
import dev.rpcrdma.tools.command.HostPort;
import dev.rpcrdma.tools.command.JsonSwitch;
import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.tools.command.RunningVertx;
import dev.rpcrdma.tools.command.Within;
import dev.rpcrdma.tools.rping.RpingClient;
import dev.rpcrdma.tools.rping.RpingOptions;
import dev.rpcrdma.tools.rping.RpingReport;
import dev.rpcrdma.tools.rping.RpingServer;
import dev.rpcrdma.verbs.VerbsDevice;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The ping of RDMA: either end of what {@code rping} of rdma-core does. */
@Command(
    name = "rping",
    description = "Ping over RDMA, as rping of rdma-core does and together with it: the server reads "
        + "the client's memory by RDMA Read, and writes it back by RDMA Write. A server serves one "
        + "client.")
final class RpingCommand implements Callable<Integer> {

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
  private boolean help;

  @Option(names = {"-s", "--server"}, description = "Be the server.")
  private boolean server;

  @Option(names = {"-c", "--client"},
      description = "Be the client, which is the default.")
  private boolean client;

  @Parameters(index = "0", arity = "0..1", paramLabel = "HOST:PORT", converter = HostPort.class,
      description = "The server to ping, in place of --address and --port.")
  private SocketAddress target;

  @Option(names = {"-a", "--address"},
      description = "Where the server listens (${DEFAULT-VALUE} is all addresses).")
  private String address = "0.0.0.0";

  @Within(from = 0, to = Within.PORTS)
  @Option(names = {"-p", "--port"}, description = "The port (${DEFAULT-VALUE}).")
  private int port = 7174;

  @Within(from = 0, to = Integer.MAX_VALUE)
  @Option(names = {"-C", "--count"}, description = "How many pings; 0, the default, for no end. "
      + "A server fails if its client made fewer.")
  private int count;

  @Within(from = RpingOptions.MIN_SIZE, to = RpingOptions.MAX_SIZE)
  @Option(names = {"-S", "--size"}, description = "Bytes of each ping (${DEFAULT-VALUE}). "
      + "A server takes any size.")
  private int size = RpingOptions.DEFAULT.size();

  @Option(names = {"-V", "--verify"}, description = "Check every byte.")
  private boolean verify;

  @Option(names = {"-v", "--data"}, description = "Print the data of each ping.")
  private boolean data;

  @Within(from = 1, to = Within.DAY)
  @Option(names = "--timeout", paramLabel = "SECONDS",
      description = "How long the other side may take for a step (${DEFAULT-VALUE}).")
  private int seconds = (int) RpingOptions.DEFAULT.timeout().toSeconds();

  @Mixin
  private JsonSwitch json;

  @Mixin
  private FabricOptions fabric;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (server && (client || target != null)) {
      throw new ParameterException(spec.commandLine(),
          "A server pings nobody: --server goes neither with --client nor with HOST:PORT");
    }
    if (target != null && (given("--address") || given("--port"))) {
      throw new ParameterException(spec.commandLine(),
          "HOST:PORT says where the server is: it goes neither with --address nor with --port");
    }
    PrintWriter out = Printable.out(spec);
    RpingReport report = run(options(out), out);
    say(out, report.pings() + " pings, " + report.bytes() + " bytes there and back"
        + (verify ? ", all verified" : ""),
        new JsonObject().put("pings", report.pings()).put("bytes", report.bytes()).put("verified", verify));
    return 0;
  }

  private boolean given(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private RpingOptions options(PrintWriter out) {
    return new RpingOptions(count, size, verify, Duration.ofSeconds(seconds), line -> {
      if (data) {
        say(out, line, new JsonObject().put("data", line.replaceFirst("^(server )?ping data: ", "")));
      }
    });
  }

  /** Says a thing when it happens: as a line for people, or as JSON on a line. */
  private void say(PrintWriter out, String text, JsonObject same) {
    if (json.asked()) {
      json.line(same);
    } else {
      out.println(text);
      out.flush();
    }
  }

  private RpingReport run(RpingOptions options, PrintWriter out) throws Exception {
    try (RunningVertx running = new RunningVertx(false)) {
      Vertx vertx = running.vertx();
      VerbsDevice device = Futures.await(vertx.executeBlocking(
          () -> fabric.provider().open(vertx, fabric.device())));
      Ending ending = Ending.of(() -> { }, () -> Futures.await(device.close()));
      try {
        Context context = vertx.getOrCreateContext();
        return Futures.await(server ? serve(device, context, options, out)
            : RpingClient.run(device, context, target(), options));
      } finally {
        Futures.await(device.close());
        ending.close();
      }
    }
  }

  private Future<RpingReport> serve(VerbsDevice device, Context context, RpingOptions options,
      PrintWriter out) {
    return RpingServer.listen(device, context, SocketAddress.inetSocketAddress(port, address),
        options).compose(listening -> {
          String place = HostPort.text(listening.localAddress());
          say(out, "listening on " + place, new JsonObject().put("listening", place));
          return listening.finished();
        });
  }

  private SocketAddress target() {
    if (target != null) {
      return target;
    }
    if (port == 0) {
      throw new ParameterException(spec.commandLine(), "Not a port: 0");
    }
    return SocketAddress.inetSocketAddress(port, address.replaceAll("^\\[(.*)]$", "$1"));
  }
}
