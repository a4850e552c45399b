package dev.rpcrdma.api;

import dev.rpcrdma.protocol.binding.Replay;
import io.vertx.core.json.JsonObject;
import io.vertx.core.tracing.TracingPolicy;
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
        case "maxSegments" -> options.setMaxSegments(json.getInteger(name));
        case "maxReadBytesInFlight" -> options.setMaxReadBytesInFlight(json.getLong(name));
        case "metadata" -> options.setMetadata(json.getBoolean(name));
        case "tracingPolicy" -> options.setTracingPolicy(TracingPolicy.valueOf(json.getString(name)));
        case "pullReplies" -> options.setPullReplies(json.getBoolean(name));
        case "provideReplies" -> options.setProvideReplies(json.getBoolean(name));
        case "maxProvidedBytes" -> options.setMaxProvidedBytes(json.getLong(name));
        case "maxPoolBytes" -> options.setMaxPoolBytes(json.getLong(name));
        case "maxSetAside" -> options.setMaxSetAside(json.getLong(name));
        case "callTimeout" -> options.setCallTimeout(millis(json, name));
        case "connectTimeout" -> options.setConnectTimeout(millis(json, name));
        case "serviceTimeout" -> options.setServiceTimeout(millis(json, name));
        case "drainTimeout" -> options.setDrainTimeout(millis(json, name));
        case "setAsideTime" -> options.setSetAsideTime(millis(json, name));
        case "keepAliveTime" -> options.setKeepAliveTime(millis(json, name));
        case "keepAliveTimeout" -> options.setKeepAliveTimeout(millis(json, name));
        case "replyCacheBytes" -> options.setReplyCacheBytes(json.getLong(name));
        case "largeReplyCacheBytes" -> options.setLargeReplyCacheBytes(json.getLong(name));
        default -> own(json, name, options);
      }
    }
  }

  private static void own(JsonObject json, String name, RpcOptions<?> options) {
    if (options instanceof RpcClientOptions client) {
      switch (name) {
        case "replay" -> client.setReplay(Replay.valueOf(json.getString(name)));
        case "reconnectAttempts" -> client.setReconnectAttempts(json.getInteger(name));
        case "reconnectDelay" -> client.setReconnectDelay(millis(json, name));
        case "maxReconnectDelay" -> client.setMaxReconnectDelay(millis(json, name));
        default -> unknown(name);
      }
    } else if (options instanceof RpcServerOptions server) {
      switch (name) {
        case "sessionTime" -> server.setSessionTime(millis(json, name));
        case "maxSessions" -> server.setMaxSessions(json.getInteger(name));
        case "maxConnections" -> server.setMaxConnections(json.getInteger(name));
        case "maxConnectionsPerHost" -> server.setMaxConnectionsPerHost(json.getInteger(name));
        default -> unknown(name);
      }
    }
  }

  private static void unknown(String name) {
    throw new IllegalArgumentException("No such option: " + name);
  }

  private static Duration millis(JsonObject json, String name) {
    return Duration.ofMillis(json.getLong(name));
  }

  static JsonObject write(RpcOptions<?> options) {
    JsonObject json = new JsonObject()
        .put("provider", options.getProvider())
        .put("providerOptions", options.getProviderOptions())
        .put("capture", options.getCapture())
        .put("inlineSize", options.getInlineSize())
        .put("forwardCredits", options.getForwardCredits())
        .put("reverseCredits", options.getReverseCredits())
        .put("maxQueuedCalls", options.getMaxQueuedCalls())
        .put("maxReply", options.getMaxReply())
        .put("maxChunkBytes", options.getMaxChunkBytes())
        .put("maxSegments", options.getMaxSegments())
        .put("maxReadBytesInFlight", options.getMaxReadBytesInFlight())
        .put("metadata", options.isMetadata())
        .put("tracingPolicy", options.getTracingPolicy().name())
        .put("pullReplies", options.isPullReplies())
        .put("provideReplies", options.isProvideReplies())
        .put("maxProvidedBytes", options.getMaxProvidedBytes())
        .put("maxPoolBytes", options.getMaxPoolBytes())
        .put("maxSetAside", options.getMaxSetAside())
        .put("callTimeout", options.getCallTimeout().toMillis())
        .put("connectTimeout", options.getConnectTimeout().toMillis())
        .put("serviceTimeout", options.getServiceTimeout().toMillis())
        .put("drainTimeout", options.getDrainTimeout().toMillis())
        .put("setAsideTime", options.getSetAsideTime().toMillis())
        .put("keepAliveTime", options.getKeepAliveTime().toMillis())
        .put("keepAliveTimeout", options.getKeepAliveTimeout().toMillis())
        .put("replyCacheBytes", options.getReplyCacheBytes())
        .put("largeReplyCacheBytes", options.getLargeReplyCacheBytes());
    if (options instanceof RpcClientOptions client) {
      json.put("replay", client.getReplay().name())
          .put("reconnectAttempts", client.getReconnectAttempts())
          .put("reconnectDelay", client.getReconnectDelay().toMillis())
          .put("maxReconnectDelay", client.getMaxReconnectDelay().toMillis());
    } else if (options instanceof RpcServerOptions server) {
      json.put("sessionTime", server.getSessionTime().toMillis())
          .put("maxSessions", server.getMaxSessions())
          .put("maxConnections", server.getMaxConnections())
          .put("maxConnectionsPerHost", server.getMaxConnectionsPerHost());
    }
    return json;
  }
}
