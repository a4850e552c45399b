package dev.rpcrdma.examples.cli;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServerOptions;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What every command takes: which fabric to use, and where to record its traffic. */
final class FabricOptions {

  @Option(names = "--provider", paramLabel = "NAME",
      description = "The RDMA provider to use; by default the best that works here.")
  private String provider = "";

  @Option(names = "--capture", paramLabel = "FILE.pcapng",
      description = "Record all traffic of the client to a file for Wireshark.")
  private Path capture;

  RpcClientOptions client() {
    return new RpcClientOptions().setProvider(provider)
        .setCapture(capture == null ? "" : capture.toString());
  }

  RpcServerOptions server() {
    return new RpcServerOptions().setProvider(provider);
  }
}
