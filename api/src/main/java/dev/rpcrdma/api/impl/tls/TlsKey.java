// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.tls;

import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SSLOptions;

/**
 * Which TLS options are the same. Their own equality knows keys and trust, but not what one side has alone, such as
 * {@code clientAuth}; their JSON form knows that, but no keys.
 *
 * @param options with keys and trust, which nobody changes
 * @param json all the rest
 */
public record TlsKey(SSLOptions options, JsonObject json) {

  /** Of options that nobody changes. */
  public static TlsKey of(SSLOptions options) {
    return new TlsKey(options, options.toJson());
  }

  /** Keys have secrets. */
  @Override
  public String toString() {
    return "TLS";
  }
}
