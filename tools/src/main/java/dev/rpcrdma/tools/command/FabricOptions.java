// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

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
public final class FabricOptions {

  @Option(names = "--provider", paramLabel = "NAME",
      description = "The RDMA provider to use; by default the best that works here.")
  private String provider = "";

  @Option(names = "--setting", paramLabel = "NAME=VALUE",
      description = "A setting of the provider, such as crc=false; may be repeated.")
  private Map<String, String> settings = Map.of();

  @Option(names = "--capture", paramLabel = "FILE",
      description = "Record the traffic to a file for Wireshark.")
  private Path capture;

  /** For picocli. */
  public FabricOptions() {}

  /**
   * Finds the provider that was asked for.
   *
   * @return the best that works here if none was
   */
  public VerbsProvider provider() {
    return provider.isEmpty() ? VerbsProviders.preferred() : VerbsProviders.named(provider);
  }

  /**
   * Tells whether traffic is recorded.
   *
   * @return true if a file was named for it
   */
  public boolean captures() {
    return capture != null;
  }

  /**
   * Options for who opens a device by itself.
   *
   * @return with settings, and the capture
   */
  public DeviceOptions device() {
    DeviceOptions options = DeviceOptions.DEFAULT.withSettings(settings());
    return capture == null ? options : options.withCapture(capture);
  }

  /**
   * Finds where this machine reaches itself by the fabric.
   *
   * @return an address
   */
  public String host() {
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

  /**
   * Options of a client.
   *
   * @return with settings, and the capture
   */
  public RpcClientOptions client() {
    return new RpcClientOptions().setProvider(provider).setProviderOptions(settings())
        .setCapture(capture == null ? "" : capture.toString());
  }

  /**
   * Options of a server whose client has the capture.
   *
   * @return with settings
   */
  public RpcServerOptions server() {
    return new RpcServerOptions().setProvider(provider).setProviderOptions(settings());
  }

  /**
   * Options of a server that is the only one here to use the fabric.
   *
   * @return with settings, and the capture
   */
  public RpcServerOptions recordedServer() {
    return server().setCapture(capture == null ? "" : capture.toString());
  }
}
