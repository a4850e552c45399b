// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.cli;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** What every command takes: which fabric to use, and where to record its traffic. */
final class FabricOptions {

  @Option(names = "--provider", paramLabel = "NAME",
      description = "The RDMA provider to use; by default the best that works here.")
  private String provider = "";

  @Option(names = "--setting", paramLabel = "NAME=VALUE",
      description = "A setting of the provider, such as crc=false; may be repeated.")
  private Map<String, String> settings = Map.of();

  @Option(names = "--capture", paramLabel = "FILE",
      description = "Record the traffic to a file for Wireshark.")
  private Path capture;

  VerbsProvider provider() {
    return provider.isEmpty() ? VerbsProviders.preferred() : VerbsProviders.named(provider);
  }

  /** Whether traffic is recorded. */
  boolean captures() {
    return capture != null;
  }

  DeviceOptions device() {
    DeviceOptions options = DeviceOptions.DEFAULT.withSettings(settings());
    return capture == null ? options : options.withCapture(capture);
  }

  /** Where this machine reaches itself by the fabric. */
  String host() {
    String device = settings.get("device");
    return provider().devices().stream().filter(each -> device == null || each.name().equals(device)).findFirst()
        .flatMap(each -> each.attributes().hosts().stream().findFirst()).orElse("127.0.0.1");
  }

  /** Numbers and truth values as such, everything else as text. */
  private JsonObject settings() {
    JsonObject json = new JsonObject();
    settings.forEach((name, value) -> {
      if (value.matches("-?[0-9]{1,9}")) {
        json.put(name, Integer.valueOf(value));
      } else if (value.matches("-?[0-9]{10,18}")) {
        json.put(name, Long.valueOf(value));
      } else if (value.equals("true") || value.equals("false")) {
        json.put(name, Boolean.valueOf(value));
      } else {
        json.put(name, value);
      }
    });
    return json;
  }

  RpcClientOptions client() {
    return new RpcClientOptions().setProvider(provider).setProviderOptions(settings())
        .setCapture(capture == null ? "" : capture.toString());
  }

  RpcServerOptions server() {
    return new RpcServerOptions().setProvider(provider).setProviderOptions(settings());
  }

  /** For a server that is the only one here to use the fabric. */
  RpcServerOptions recordedServer() {
    return server().setCapture(capture == null ? "" : capture.toString());
  }
}
