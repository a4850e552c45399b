package dev.rpcrdma.api;

import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** The JSON form of options. */
final class RpcOptionsJson {

  private RpcOptionsJson() {}

  static void read(JsonObject json, RpcOptions<?> options) {
    for (String name : json.fieldNames()) {
      switch (name) {
        case "provider" -> options.setProvider(json.getString(name));
        case "providerOptions" -> options.setProviderOptions(json.getJsonObject(name));
        case "capture" -> options.setCapture(json.getString(name));
        case "inlineSize" -> options.setInlineSize(json.getInteger(name));
        case "forwardCredits" -> options.setForwardCredits(json.getInteger(name));
        case "reverseCredits" -> options.setReverseCredits(json.getInteger(name));
        case "maxQueuedCalls" -> options.setMaxQueuedCalls(json.getInteger(name));
        case "maxReply" -> options.setMaxReply(json.getInteger(name));
        case "maxChunkBytes" -> options.setMaxChunkBytes(json.getLong(name));
        case "maxPoolBytes" -> options.setMaxPoolBytes(json.getLong(name));
        case "maxSetAside" -> options.setMaxSetAside(json.getLong(name));
        case "callTimeout" -> options.setCallTimeout(millis(json, name));
        case "connectTimeout" -> options.setConnectTimeout(millis(json, name));
        case "serviceTimeout" -> options.setServiceTimeout(millis(json, name));
        case "drainTimeout" -> options.setDrainTimeout(millis(json, name));
        case "setAsideTime" -> options.setSetAsideTime(millis(json, name));
        default -> throw new IllegalArgumentException("No such option: " + name);
      }
    }
  }

  private static Duration millis(JsonObject json, String name) {
    return Duration.ofMillis(json.getLong(name));
  }

  static JsonObject write(RpcOptions<?> options) {
    return new JsonObject()
        .put("provider", options.getProvider())
        .put("providerOptions", options.getProviderOptions())
        .put("capture", options.getCapture())
        .put("inlineSize", options.getInlineSize())
        .put("forwardCredits", options.getForwardCredits())
        .put("reverseCredits", options.getReverseCredits())
        .put("maxQueuedCalls", options.getMaxQueuedCalls())
        .put("maxReply", options.getMaxReply())
        .put("maxChunkBytes", options.getMaxChunkBytes())
        .put("maxPoolBytes", options.getMaxPoolBytes())
        .put("maxSetAside", options.getMaxSetAside())
        .put("callTimeout", options.getCallTimeout().toMillis())
        .put("connectTimeout", options.getConnectTimeout().toMillis())
        .put("serviceTimeout", options.getServiceTimeout().toMillis())
        .put("drainTimeout", options.getDrainTimeout().toMillis())
        .put("setAsideTime", options.getSetAsideTime().toMillis());
  }
}
