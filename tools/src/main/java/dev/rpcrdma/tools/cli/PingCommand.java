// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.tools.command.FabricOptions;
import dev.rpcrdma.tools.command.Futures;
import dev.rpcrdma.tools.command.HostPort;
import dev.rpcrdma.tools.command.JsonSwitch;
import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.tools.command.RunningVertx;
import dev.rpcrdma.tools.command.Within;
import io.vertx.core.net.SocketAddress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Calls the NULL procedure of any RPC-over-RDMA service. */
@Command(
    name = "ping",
    description = "Call the NULL procedure of a program over RDMA, and print what was agreed for the "
        + "connection, by the transport and by both ends, and how long each call took. For a Linux "
        + "NFS server: ping HOST:20049 --program nfs --version 3.")
final class PingCommand implements Callable<Integer> {

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
  private boolean help;

  @Parameters(index = "0", paramLabel = "HOST:PORT", converter = HostPort.class,
      description = "Where the service listens.")
  private SocketAddress address;

  @Option(names = "--program", required = true, converter = ProgramNumber.class,
      description = "The program's number, such as 100003 or 0x20060001, or the name that info prints: nfs.")
  private int program;

  @Option(names = "--version", defaultValue = "1", converter = Unsigned.class,
      description = "The program's version; default ${DEFAULT-VALUE}.")
  private int version;

  @Within(from = 0, to = 1_000_000)
  @Option(names = "--count", defaultValue = "5",
      description = "How many calls; default ${DEFAULT-VALUE}.")
  private int count;

  @Within(from = 1, to = Within.DAY)
  @Option(names = "--timeout", defaultValue = "5", paramLabel = "SECONDS",
      description = "How long connecting, and each call, may take; default ${DEFAULT-VALUE}.")
  private int seconds;

  @Mixin
  private JsonSwitch json;

  @Mixin
  private FabricOptions fabric;

  @Mixin
  private SecurityOptions security;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Duration timeout = Duration.ofSeconds(seconds);
    RpcClientOptions options = security.secure(fabric.client()).setConnectTimeout(timeout);
    try (RunningVertx running = new RunningVertx(fabric.captures())) {
      RpcClient client = RpcClient.builder(running.vertx()).with(options).build();
      RpcChannel channel = client.channel(address);
      RpcConnection connection = Futures.await(channel.connect());
      RpcRequest<Void> request = RpcRequest.to(program, version, 0)
          .options(CallOptions.DEFAULT.withTimeout(timeout)).build();
      PingResult result = ping(channel, connection, request);
      print(result);
      if (result.failure().isPresent()) {
        throw result.failure().get();
      }
      Futures.await(client.close());
    }
    return 0;
  }

  /** Calls until a call fails, which is a finding like the others. */
  private PingResult ping(RpcChannel channel, RpcConnection connection, RpcRequest<Void> request) throws Exception {
    List<Long> nanos = new ArrayList<>();
    Exception failure = null;
    while (failure == null && nanos.size() < count) {
      long start = System.nanoTime();
      try {
        Futures.await(channel.call(request));
        nanos.add(System.nanoTime() - start);
      } catch (Exception e) {
        failure = e;
      }
    }
    try {
      return new PingResult(address, security, connection.peerCertificates(), Futures.await(connection.snapshot()),
          nanos, Optional.ofNullable(failure));
    } catch (Exception e) {
      throw failure == null ? e : failure;
    }
  }

  private void print(PingResult result) {
    PrintWriter out = Printable.out(spec);
    if (json.asked()) {
      json.print(PingJson.of(result));
    } else {
      new PingReport(result).print(out);
    }
  }
}
