// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.api.ConnectionAgreement;
import dev.rpcrdma.api.PeerPrivateData;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.tools.command.FailureText;
import dev.rpcrdma.tools.command.HostPort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Makes JSON of what {@link PingReport} prints for people. What was not there is left out. */
final class PingJson {

  private PingJson() {}

  static JsonObject of(PingResult result) {
    ConnectionAgreement agreed = result.snapshot().agreed();
    JsonObject json = new JsonObject().put("service", HostPort.text(result.service()));
    security(json, result);
    JsonObject transport = new JsonObject();
    agreed.transport().forEach(fact -> transport.put(fact.name(), fact.value()));
    json.put("transport", transport)
        .put("privateData", privateData(agreed.peer()))
        .put("outboundInline", agreed.outboundInline())
        .put("inboundInline", agreed.inboundInline())
        .put("outboundReads", agreed.outboundReads())
        .put("remoteInvalidation", agreed.remoteInvalidation())
        .put("creditsGranted", result.snapshot().calls().creditsGranted());
    times(json, result);
    result.failure().ifPresent(failure -> json.put("failure", FailureText.describe(failure)));
    return json;
  }

  private static void security(JsonObject json, PingResult result) {
    if (!result.certificates().isEmpty()) {
      JsonObject tls = new JsonObject();
      result.peer().ifPresent(name -> tls.put("peer", name));
      json.put("tls", tls);
    }
    result.security().protection().ifPresent(protection -> json.put("kerberos", new JsonObject()
        .put("flavor", result.security().flavor().toString()).put("protection", protection.toString())));
  }

  private static JsonObject privateData(PeerPrivateData peer) {
    JsonObject json = new JsonObject().put("length", peer.length());
    peer.sizes().ifPresent(sizes -> json.put("rfc8797", new JsonObject()
        .put("version", CmPrivateData.VERSION)
        .put("sendSize", sizes.sendSize())
        .put("receiveSize", sizes.receiveSize())
        .put("remoteInvalidation", sizes.remoteInvalidation())));
    peer.session().ifPresent(block -> json.put("session", new JsonObject()
        .put("id", block.id().toString()).put("slots", 1 << block.slotBits())));
    return json;
  }

  private static void times(JsonObject json, PingResult result) {
    json.put("micros", new JsonArray(result.nanos().stream().map(PingJson::micros).toList()));
    List<Long> quantiles = result.quantiles();
    if (!quantiles.isEmpty()) {
      json.put("leastMicros", micros(quantiles.get(0))).put("medianMicros", micros(quantiles.get(1)))
          .put("mostMicros", micros(quantiles.get(2)));
    }
  }

  private static double micros(long nanos) {
    return nanos / 1000.0;
  }
}
