// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.tracing.TracingPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RpcOptionsTest {

  @Test
  void jsonThereAndBackAgain() {
    RpcClientOptions options = new RpcClientOptions().setProvider("siw")
        .setProviderOptions(new JsonObject().put("crc", false)).setCapture("a.pcapng")
        .setInlineSize(8192).setForwardCredits(3).setReverseCredits(4).setMaxQueuedCalls(5)
        .setMaxCallsPerService(50).setMaxExecutions(51)
        .setMaxReply(6).setMaxChunkBytes(7000).setMaxPoolBytes(8 << 20).setMaxPendingReplyBytes(1 << 20)
        .setMaxSetAside(9)
        .setMaxSegments(24).setMetadata(false).setTracingPolicy(TracingPolicy.ALWAYS)
        .setPullReplies(false).setProvideReplies(false).setMaxProvidedBytes(5000)
        .setMaxReadBytesInFlight(25_000)
        .setCallTimeout(Duration.ofMillis(10)).setConnectTimeout(Duration.ofMillis(11))
        .setServiceTimeout(Duration.ofMillis(12)).setDrainTimeout(Duration.ofMillis(13))
        .setSetAsideTime(Duration.ofMillis(14)).setKeepAliveTime(Duration.ofMillis(15))
        .setKeepAliveTimeout(Duration.ofMillis(16)).setReplyCacheBytes(17).setLargeReplyCacheBytes(170)
        .setReplay(Replay.ALWAYS).setReconnectAttempts(18).setConnections(3)
        .addProvider("memory", new JsonObject().put("seed", 1)).setProviderFallback(true)
        .setMetricsName("m").setParallelServices(true).setCredentials(new OpaqueAuth(7, new byte[1]))
        .setReconnectTimeout(Duration.ofMillis(180))
        .setReconnectDelay(Duration.ofMillis(19)).setMaxReconnectDelay(Duration.ofMillis(20));
    JsonObject json = options.toJson();
    assertThat(flat(json)).hasSize(41);
    assertThat(new RpcClientOptions(json).toJson()).isEqualTo(json);
    assertThat(new RpcClientOptions(options).toJson()).isEqualTo(json);
    Map<String, Object> usual = flat(new RpcClientOptions().toJson());
    flat(json).forEach((path, value) -> assertThat(value).as(path).isNotEqualTo(usual.get(path)));
    JsonObject server = new RpcServerOptions().setKeepAliveTime(Duration.ofMillis(15))
        .setSessionTime(Duration.ofMillis(21)).setMaxSessions(22).toJson();
    assertThat(new RpcServerOptions(server).toJson()).isEqualTo(server);
    assertThat(new RpcServerOptions(new JsonObject()).toJson())
        .isEqualTo(new RpcServerOptions().toJson()).isNotEqualTo(server);
  }

  /** By path. */
  private static Map<String, Object> flat(JsonObject json) {
    Set<String> groups = Set.of("limits", "timeouts", "reconnect", "replies", "memory", "keepAlive");
    Map<String, Object> all = new TreeMap<>();
    json.forEach(entry -> {
      if (groups.contains(entry.getKey())) {
        ((JsonObject) entry.getValue())
            .forEach(inner -> all.put(entry.getKey() + "." + inner.getKey(), inner.getValue()));
      } else {
        all.put(entry.getKey(), entry.getValue());
      }
    });
    return all;
  }

  @Test
  void whatIsOutOfRangeOrUnknownIsRefused() {
    RpcClientOptions options = new RpcClientOptions();
    assertThatThrownBy(() -> options.setInlineSize(1000)).hasMessageContaining("1024");
    assertThatThrownBy(() -> options.setInlineSize(1024 * 257)).hasMessageContaining("262144");
    assertThatThrownBy(() -> options.setForwardCredits(0)).hasMessageContaining("1 to 4096");
    assertThatThrownBy(() -> options.setReverseCredits(5000)).hasMessageContaining("1 to 4096");
    assertThatThrownBy(() -> options.setMaxQueuedCalls(0)).hasMessageContaining("maxQueuedCalls");
    assertThatThrownBy(() -> options.setMaxCallsPerService(0)).hasMessageContaining("maxCallsPerService");
    assertThatThrownBy(() -> options.setMaxExecutions(0)).hasMessageContaining("maxExecutions");
    assertThatThrownBy(() -> options.setMaxReply(-1)).hasMessageContaining("maxReply");
    assertThatThrownBy(() -> options.setMaxChunkBytes(1)).hasMessageContaining("maxChunkBytes");
    assertThatThrownBy(() -> options.setMaxSegments(0)).hasMessageContaining("maxSegments");
    assertThatThrownBy(() -> options.setMaxReadBytesInFlight(1))
        .hasMessageContaining("maxReadBytesInFlight");
    assertThatThrownBy(() -> options.setMaxProvidedBytes(1)).hasMessageContaining("maxProvidedBytes");
    assertThatThrownBy(() -> options.setMaxPoolBytes(1)).hasMessageContaining("maxPoolBytes");
    assertThatThrownBy(() -> options.setMaxPendingReplyBytes(1)).hasMessageContaining("maxPendingReplyBytes");
    assertThatThrownBy(() -> options.setMaxSetAside(-1)).hasMessageContaining("maxSetAside");
    assertThatThrownBy(() -> options.setCallTimeout(Duration.ZERO))
        .hasMessageContaining("callTimeout");
    assertThatThrownBy(() -> options.setReconnectTimeout(Duration.ofNanos(1)))
        .hasMessage("reconnectTimeout is 0, or 1 ms to 1 day, not PT0.000000001S");
    assertThatThrownBy(() -> options.setReconnectTimeout(Duration.ofDays(1).plusNanos(1)))
        .hasMessageContaining("reconnectTimeout is 0, or 1 ms to 1 day");
    assertThatThrownBy(() -> options.setReconnectAttempts(-1))
        .hasMessageContaining("reconnectAttempts");
    assertThatThrownBy(() -> options.setReplyCacheBytes(-1)).hasMessageContaining("replyCache");
    assertThatThrownBy(() -> options.setLargeReplyCacheBytes(-1)).hasMessageContaining("largeReplyCache");
    assertThatThrownBy(() -> new RpcServerOptions().setMaxSessions(0))
        .hasMessageContaining("maxSessions");
    assertThatThrownBy(() -> new RpcServerOptions(new JsonObject().put("replay", "NEVER")))
        .hasMessageContaining("No such option: replay");
    assertThatThrownBy(() -> new RpcClientOptions(new JsonObject().put("inlinesize", 1024)))
        .hasMessageContaining("No such option: inlinesize (did you mean limits.inlineSize?); there are ");
    assertThatThrownBy(() -> new RpcClientOptions(new JsonObject().put("recconectTimeout", 1024)))
        .hasMessageContaining("(did you mean reconnect.reconnectTimeout?)");
    assertThatThrownBy(() -> new RpcClientOptions(new JsonObject().put("somethingElse", 1024)))
        .hasMessageContaining("No such option: somethingElse; there are ");
  }

  /** Fails if a message about a credential has what is in it. */
  @Test
  void noSecretIsInAMessage() {
    JsonObject misspelled = new JsonObject().put("flavor", 400_001).put("bdy", "c2VjcmV0");
    for (Object secret : new Object[] {misspelled, "c2VjcmV0"}) {
      assertThatThrownBy(() -> new RpcClientOptions(new JsonObject().put("credentials", secret)))
          .hasMessageStartingWith("credentials is an object with machine, uid").hasMessageNotContaining("c2VjcmV0");
    }
    OpaqueAuth known = new OpaqueAuth(7, new byte[] {115, 101, 99, 114});
    assertThat(CallOptions.DEFAULT.withCredentials(known).withToken("hunter2"))
        .hasToString("CallOptions{\"credentials\":\"set\",\"token\":\"set\"}");
  }

  /** Fails if {@code OptionValues.setSome} does not name what is null. */
  @Test
  void nullIsNamed() {
    assertThatThrownBy(() -> new RpcClientOptions().setTls(null)).isInstanceOf(NullPointerException.class)
        .hasMessage("tls");
    assertThatThrownBy(() -> CallOptions.DEFAULT.withToken(null)).hasMessage("token");
    assertThatThrownBy(() -> new KerberosOptions().setKeytab(null)).hasMessage("keytab");
  }

  /** Fails if {@code KerberosOptions.TYPE} or {@code ProviderOptions} hand over what they got. */
  @Test
  void whatIsGivenIsCopied() {
    KerberosOptions kerberos = new KerberosOptions().setService("nfs");
    JsonObject settings = new JsonObject().put("seed", 1);
    RpcClientOptions options = new RpcClientOptions().setKerberos(kerberos).addProvider("memory", settings);
    kerberos.setService("other");
    settings.put("seed", 2);
    options.getKerberos().orElseThrow().setService("other");
    assertThat(options.getKerberos().orElseThrow().getService()).contains("nfs");
    assertThat(options.getProviders().get(0).settings()).isEqualTo(new JsonObject().put("seed", 1));
  }

  /** Fails if a key that was outermost before is passed over, or if nobody is told where it belongs. */
  @Test
  void keysInTheirOldPlaceAreRefusedWithTheirPath() {
    refused("callTimeout", 5000, "The option callTimeout is a key of the object timeouts");
    refused("limits.callTimeout", 5000, "The option callTimeout is a key of the object timeouts, not of limits");
    refused("keepAlive", 5000, "keepAlive is an object, not 5000");
  }

  @Test
  void optionsAreEqualIfAllAre() {
    RpcClientOptions options = new RpcClientOptions().setTls(new ClientSSLOptions().setTrustAll(true))
        .setKerberos(new KerberosOptions().setService("nfs")).addProvider("siw", new JsonObject());
    RpcClientOptions same = new RpcClientOptions(options);
    assertThat(options).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(new RpcServerOptions());
    same.setTls(new ClientSSLOptions());
    assertThat(options).isNotEqualTo(same);
    assertThat(new RpcClientOptions(options).setKerberos(new KerberosOptions().setService("x"))).isNotEqualTo(options);
  }

  /** Fails if a key or a credential gets into a log, or options cannot be told apart there. */
  @Test
  void text() {
    assertThat(new RpcClientOptions()).hasToString("RpcClientOptions{}");
    assertThat(new RpcServerOptions().setInlineSize(8192)).hasToString(
        "RpcServerOptions{\"limits\":{\"inlineSize\":8192}}");
    assertThat(new RpcClientOptions().setTls(new ClientSSLOptions().setKeyCertOptions(new PfxOptions()
        .setPassword("hunter2"))).setCredentials(new OpaqueAuth(7, new byte[] {1, 2}))).asString()
        .contains("\"tls\":\"set\"", "\"credentials\":\"set\"").doesNotContain("hunter2");
  }

  private static JsonObject json(String path, Object value) {
    int dot = path.indexOf('.');
    return dot < 0 ? new JsonObject().put(path, value)
        : new JsonObject().put(path.substring(0, dot), new JsonObject().put(path.substring(dot + 1), value));
  }

  private static void refused(String path, Object value, String message) {
    assertThatThrownBy(() -> new RpcClientOptions(json(path, value)))
        .isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @Test
  void jsonOfAnotherTypeIsRefusedWithWhatIsAllowed() {
    refused("limits.inlineSize", "4096", "inlineSize is a whole number, not the text \"4096\"");
    refused("limits.inlineSize", 4096.5, "inlineSize is a whole number, not 4096.5");
    refused("limits.inlineSize", 4_294_971_392L, "inlineSize is a whole number of 32 bits, not 4294971392");
    refused("connections", 65, "connections is 1 to 64, not 65");
    refused("connections", "2", "connections is a whole number, not the text \"2\"");
    refused("limits.inlineSize", null, "inlineSize is a whole number, not null");
    refused("memory.maxPoolBytes", 1e30, "maxPoolBytes is a whole number, not 1.0E30");
    refused("memory.maxPoolBytes", Double.NaN, "maxPoolBytes is a whole number, not NaN");
    refused("metadata", 1, "metadata is true or false, not 1");
    refused("provider", 1, "provider is a text, not 1");
    refused("providerOptions", "crc", "providerOptions is an object, not the text \"crc\"");
    refused("replay", "SOMETIMES", "replay is one of NEVER, SAFE, ALWAYS, not the text \"SOMETIMES\"");
    refused("timeouts.callTimeout", 1.5,
        "callTimeout is a whole number of milliseconds, or a duration such as \"PT1.5S\","
        + " not 1.5");
    refused("timeouts.callTimeout", "soon",
        "callTimeout is a whole number of milliseconds, or a duration such as \"PT1.5S\","
        + " not the text \"soon\"");
    refused("timeouts.callTimeout", 0, "callTimeout is 1 ms to 1 day, not PT0S");
  }

  @Test
  void nothingIsLostOfDurations() {
    Duration odd = Duration.ofNanos(1_500_001);
    RpcClientOptions options = new RpcClientOptions().setCallTimeout(odd);
    assertThat(new RpcClientOptions(options).getCallTimeout()).isEqualTo(odd);
    assertThat(options.toJson().getJsonObject("timeouts").getValue("callTimeout")).isEqualTo("PT0.001500001S");
    assertThat(new RpcClientOptions(json("timeouts.callTimeout", "PT2S")).getCallTimeout())
        .isEqualTo(Duration.ofSeconds(2));
    // As parsers of JSON give it.
    assertThat(new RpcClientOptions(new JsonObject("{\"timeouts\": {\"callTimeout\": 2e3}, \"memory\":"
        + " {\"maxPoolBytes\": 1048576.0}}"))
        .getCallTimeout()).isEqualTo(Duration.ofSeconds(2));
  }
}
