// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.rpcbind.RpcbindPolicy;
import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.verbs.support.SettingNames;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.tracing.TracingPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The options of both ends in their JSON form. A key that nobody knows, and a value of another type or out of its
 * range, is refused with what is allowed; nothing is rounded, cut or guessed.
 */
final class RpcOptionsJson {

  private static final String TLS = "tls";
  private static final String CREDENTIALS = "credentials";
  private static final Set<String> PROVIDER = Set.of("name", "options");

  private static final Map<String, JsonOption<RpcOptions<?>>> COMMON = byName(List.of(
      JsonOption.text("provider", RpcOptions::getProvider, RpcOptions::setProvider),
      JsonOption.object("providerOptions", RpcOptions::getProviderOptions, RpcOptions::setProviderOptions),
      new JsonOption<>("providers", RpcOptionsJson::providers,
          (options, value) -> addProviders(options, value)),
      JsonOption.text("capture", RpcOptions::getCapture, RpcOptions::setCapture),
      JsonOption.int32("inlineSize", RpcOptions::getInlineSize, RpcOptions::setInlineSize),
      JsonOption.int32("forwardCredits", RpcOptions::getForwardCredits, RpcOptions::setForwardCredits),
      JsonOption.int32("reverseCredits", RpcOptions::getReverseCredits, RpcOptions::setReverseCredits),
      JsonOption.int32("maxQueuedCalls", RpcOptions::getMaxQueuedCalls, RpcOptions::setMaxQueuedCalls),
      JsonOption.int32("maxCallsPerService", RpcOptions::getMaxCallsPerService, RpcOptions::setMaxCallsPerService),
      JsonOption.int32("maxExecutions", RpcOptions::getMaxExecutions, RpcOptions::setMaxExecutions),
      JsonOption.int32("maxReply", RpcOptions::getMaxReply, RpcOptions::setMaxReply),
      JsonOption.int64("maxChunkBytes", RpcOptions::getMaxChunkBytes, RpcOptions::setMaxChunkBytes),
      JsonOption.int32("maxSegments", RpcOptions::getMaxSegments, RpcOptions::setMaxSegments),
      JsonOption.int64("maxReadBytesInFlight", RpcOptions::getMaxReadBytesInFlight,
          RpcOptions::setMaxReadBytesInFlight),
      JsonOption.bool("metadata", RpcOptions::isMetadata, RpcOptions::setMetadata),
      JsonOption.constant("tracingPolicy", TracingPolicy.class, RpcOptions::getTracingPolicy,
          RpcOptions::setTracingPolicy),
      JsonOption.text("metricsName", RpcOptions::getMetricsName, RpcOptions::setMetricsName),
      new JsonOption<>(CREDENTIALS, options -> CredentialJson.write(options.getCredentials()),
          (options, value) -> options.setCredentials(CredentialJson.read(CREDENTIALS, value))),
      new JsonOption<>("kerberos", options -> options.getKerberos().map(KerberosOptions::toJson).orElse(null),
          (options, value) -> options.setKerberos(KerberosOptions.of("kerberos", value))),
      JsonOption.bool("parallelServices", RpcOptions::isParallelServices, RpcOptions::setParallelServices),
      JsonOption.bool("pullReplies", RpcOptions::isPullReplies, RpcOptions::setPullReplies),
      JsonOption.bool("provideReplies", RpcOptions::isProvideReplies, RpcOptions::setProvideReplies),
      JsonOption.int64("maxProvidedBytes", RpcOptions::getMaxProvidedBytes, RpcOptions::setMaxProvidedBytes),
      JsonOption.int64("maxPoolBytes", RpcOptions::getMaxPoolBytes, RpcOptions::setMaxPoolBytes),
      JsonOption.int64("maxPendingReplyBytes", RpcOptions::getMaxPendingReplyBytes,
          RpcOptions::setMaxPendingReplyBytes),
      JsonOption.int64("maxSetAside", RpcOptions::getMaxSetAside, RpcOptions::setMaxSetAside),
      JsonOption.duration("callTimeout", RpcOptions::getCallTimeout, RpcOptions::setCallTimeout),
      JsonOption.duration("connectTimeout", RpcOptions::getConnectTimeout, RpcOptions::setConnectTimeout),
      JsonOption.duration("serviceTimeout", RpcOptions::getServiceTimeout, RpcOptions::setServiceTimeout),
      JsonOption.duration("drainTimeout", RpcOptions::getDrainTimeout, RpcOptions::setDrainTimeout),
      JsonOption.duration("setAsideTime", RpcOptions::getSetAsideTime, RpcOptions::setSetAsideTime),
      JsonOption.duration("keepAliveTime", RpcOptions::getKeepAliveTime, RpcOptions::setKeepAliveTime),
      JsonOption.duration("keepAliveTimeout", RpcOptions::getKeepAliveTimeout, RpcOptions::setKeepAliveTimeout),
      JsonOption.int64("replyCacheBytes", RpcOptions::getReplyCacheBytes, RpcOptions::setReplyCacheBytes),
      JsonOption.int64("largeReplyCacheBytes", RpcOptions::getLargeReplyCacheBytes,
          RpcOptions::setLargeReplyCacheBytes)));

  private static final Map<String, JsonOption<RpcClientOptions>> CLIENT = byName(List.of(
      JsonOption.constant("replay", Replay.class, RpcClientOptions::getReplay, RpcClientOptions::setReplay),
      JsonOption.int32("reconnectAttempts", RpcClientOptions::getReconnectAttempts,
          RpcClientOptions::setReconnectAttempts),
      JsonOption.int32("connections", RpcClientOptions::getConnections, RpcClientOptions::setConnections),
      JsonOption.bool("providerFallback", RpcClientOptions::isProviderFallback,
          RpcClientOptions::setProviderFallback),
      JsonOption.duration("reconnectTimeout", RpcClientOptions::getReconnectTimeout,
          RpcClientOptions::setReconnectTimeout),
      JsonOption.duration("reconnectDelay", RpcClientOptions::getReconnectDelay,
          RpcClientOptions::setReconnectDelay),
      JsonOption.duration("maxReconnectDelay", RpcClientOptions::getMaxReconnectDelay,
          RpcClientOptions::setMaxReconnectDelay),
      new JsonOption<>(TLS, options -> options.getTls().map(TlsJson::write).orElse(null),
          (options, value) -> options.setTls(TlsJson.client(value)))));

  private static final Map<String, JsonOption<RpcServerOptions>> SERVER = byName(List.of(
      JsonOption.duration("sessionTime", RpcServerOptions::getSessionTime, RpcServerOptions::setSessionTime),
      JsonOption.int32("maxSessions", RpcServerOptions::getMaxSessions, RpcServerOptions::setMaxSessions),
      JsonOption.int32("maxConnections", RpcServerOptions::getMaxConnections, RpcServerOptions::setMaxConnections),
      JsonOption.int32("maxConnectionsPerHost", RpcServerOptions::getMaxConnectionsPerHost,
          RpcServerOptions::setMaxConnectionsPerHost),
      JsonOption.constant("rpcbind", RpcbindPolicy.class, RpcServerOptions::getRpcbind, RpcServerOptions::setRpcbind),
      JsonOption.int32("rpcbindPort", RpcServerOptions::getRpcbindPort, RpcServerOptions::setRpcbindPort),
      new JsonOption<>(TLS, options -> options.getTls().map(TlsJson::write).orElse(null),
          (options, value) -> options.setTls(TlsJson.server(value)))));

  private RpcOptionsJson() {}

  private static JsonArray providers(RpcOptions<?> options) {
    JsonArray all = new JsonArray();
    options.getProviders().forEach(each -> all.add(
        new JsonObject().put("name", each.name()).put("options", each.settings())));
    return all;
  }

  private static void addProviders(RpcOptions<?> options, Object value) {
    if (!(value instanceof JsonArray all)) {
      throw noProviders(value);
    }
    for (Object each : all) {
      if (each instanceof String name) {
        options.addProvider(name, new JsonObject());
      } else if (each instanceof JsonObject json && PROVIDER.containsAll(json.fieldNames())
          && json.getValue("name") instanceof String name
          && json.getValue("options", new JsonObject()) instanceof JsonObject settings) {
        options.addProvider(name, settings);
      } else {
        throw noProviders(each);
      }
    }
  }

  private static IllegalArgumentException noProviders(Object value) {
    return new IllegalArgumentException(
        "providers is an array of names, or of objects with name and options, not " + value);
  }

  private static <O> Map<String, JsonOption<O>> byName(List<JsonOption<O>> options) {
    Map<String, JsonOption<O>> all = new LinkedHashMap<>();
    options.forEach(option -> all.put(option.name(), option));
    return all;
  }

  static void read(JsonObject json, RpcClientOptions options) {
    read(json, options, CLIENT);
  }

  static void read(JsonObject json, RpcServerOptions options) {
    read(json, options, SERVER);
  }

  private static <O extends RpcOptions<O>> void read(JsonObject json, O options, Map<String, JsonOption<O>> own) {
    for (Map.Entry<String, Object> entry : json) {
      String name = entry.getKey();
      if (COMMON.containsKey(name)) {
        COMMON.get(name).read(options, entry.getValue());
      } else if (own.containsKey(name)) {
        own.get(name).read(options, entry.getValue());
      } else {
        TreeSet<String> known = new TreeSet<>(COMMON.keySet());
        known.addAll(own.keySet());
        throw new IllegalArgumentException("No such option: " + name + SettingNames.guess(name, known)
            + "; there are " + String.join(", ", known));
      }
    }
  }

  static void copy(RpcClientOptions from, RpcClientOptions to) {
    copy(from, to, CLIENT);
    from.getTls().ifPresent(to::setTls);
  }

  static void copy(RpcServerOptions from, RpcServerOptions to) {
    copy(from, to, SERVER);
    from.getTls().ifPresent(to::setTls);
  }

  /** All but TLS, whose keys need not have a form in JSON. */
  private static <O extends RpcOptions<O>> void copy(O from, O to, Map<String, JsonOption<O>> own) {
    COMMON.values().forEach(option -> option.copy(from, to));
    own.values().stream().filter(option -> !option.name().equals(TLS)).forEach(option -> option.copy(from, to));
  }

  static JsonObject write(RpcClientOptions options) {
    return write(options, CLIENT);
  }

  static JsonObject write(RpcServerOptions options) {
    return write(options, SERVER);
  }

  static String describe(RpcClientOptions options) {
    return describe("RpcClientOptions", options, new RpcClientOptions(), CLIENT, options.getTls());
  }

  static String describe(RpcServerOptions options) {
    return describe("RpcServerOptions", options, new RpcServerOptions(), SERVER, options.getTls());
  }

  /** What is not the default. Keys and credentials may be secrets, so that they are said to be there, no more. */
  private static <O extends RpcOptions<O>> String describe(String name, O options, O defaults,
      Map<String, JsonOption<O>> own, Optional<?> tls) {
    JsonObject json = withoutSecrets(options, own);
    JsonObject usual = withoutSecrets(defaults, own);
    usual.forEach(entry -> json.getMap().remove(entry.getKey(), entry.getValue()));
    if (!options.getCredentials().equals(defaults.getCredentials())) {
      json.put(CREDENTIALS, "set");
    }
    tls.ifPresent(keys -> json.put(TLS, "set"));
    return name + json.encode();
  }

  private static <O extends RpcOptions<O>> JsonObject withoutSecrets(O options, Map<String, JsonOption<O>> own) {
    JsonObject json = new JsonObject();
    COMMON.values().stream().filter(option -> !option.name().equals(CREDENTIALS))
        .forEach(option -> option.write(options, json));
    own.values().stream().filter(option -> !option.name().equals(TLS)).forEach(option -> option.write(options, json));
    return json;
  }

  private static <O extends RpcOptions<O>> JsonObject write(O options, Map<String, JsonOption<O>> own) {
    JsonObject json = new JsonObject();
    COMMON.values().forEach(option -> option.write(options, json));
    own.values().forEach(option -> option.write(options, json));
    return json;
  }
}
