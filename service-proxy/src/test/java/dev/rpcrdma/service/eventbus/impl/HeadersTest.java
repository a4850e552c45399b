// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.spi.OutgoingCall;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.Metadata;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.DeliveryOptions;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The headers of calls and replies on an event bus, whose nodes are of several releases. */
class HeadersTest {

  private static final String PARENT = "00-0102030405060708090a0b0c0d0e0f10-1112131415161718-01";

  private static MultiMap headers(Map<String, String> all) {
    return MultiMap.caseInsensitiveMultiMap().addAll(all);
  }

  private static Map<String, String> written(ReplyHeader header) {
    DeliveryOptions options = new DeliveryOptions();
    ReplyHeaders.write(header, options);
    Map<String, String> all = new HashMap<>();
    options.getHeaders().forEach(all::put);
    return all;
  }

  /** Fails if a constant of {@code Names} changes, or {@code CallHeaders.of} reads otherwise. */
  @Test
  @DisplayName("A call is read from the headers that are known")
  void call() {
    CallHeaders read = CallHeaders.of(headers(Map.ofEntries(Map.entry("rpcrdma:program", "4027580401"),
        Map.entry("rpcrdma:version", "2"), Map.entry("rpcrdma:procedure", "3"), Map.entry("rpcrdma:xid", "4"),
        Map.entry("rpcrdma:channel", "c"), Map.entry("rpcrdma:millis", "5"),
        Map.entry("rpcrdma:callbacks", "rpcrdma:callbacks:6"), Map.entry("rpcrdma:credential", "7 CAkK"),
        Map.entry("rpcrdma:traceparent", PARENT), Map.entry("rpcrdma:tracestate", "a=1"),
        Map.entry("rpcrdma:name", "Orders/place"), Map.entry("tenant", "blue"))));
    assertThat(read.header()).isEqualTo(new CallHeader(4, 0xf00ffff1, 2, 3, new OpaqueAuth(7, new byte[] {8, 9, 10})));
    assertThat(read.channel()).isEqualTo("c");
    assertThat(read.nanosLeft()).isEqualTo(5_000_000);
    assertThat(read.callbacks()).contains("rpcrdma:callbacks:6");
    assertThat(read.trace().traceParent()).isEqualTo(PARENT);
    assertThat(read.trace().traceState()).isEqualTo("a=1");
    assertThat(read.application()).isEqualTo(Map.of("tenant", "blue"));
  }

  /** A call that was made just before its deadline. */
  private static OutgoingCall late(long nanosLeft) {
    Map<String, Object> answers = Map.of("request", RpcRequest.to(0x20060098, 1, 0).build(), "metadata", Metadata.NONE,
        "credentials", OpaqueAuth.NONE, "xid", 4, "nanosLeft", nanosLeft);
    return (OutgoingCall) Proxy.newProxyInstance(HeadersTest.class.getClassLoader(),
        new Class<?>[] {OutgoingCall.class}, (proxy, method, arguments) -> answers.get(method.getName()));
  }

  /** Fails if {@code CallHeaders.write} rounds the time down. */
  @Test
  @DisplayName("A call that has any time left has at least a millisecond where it is served")
  void timeLeft() {
    DeliveryOptions options = new DeliveryOptions();
    CallHeaders.write(late(999_999), "me", null, options);
    assertThat(options.getHeaders().get("rpcrdma:millis")).isEqualTo("1");
  }

  /** Fails if {@code CallHeaders.trace} drops the trace state for a token. */
  @Test
  @DisplayName("A token of any length leaves the headers and the trace context as they are")
  void longToken() {
    Map<String, String> all = Map.of("auth-token", "t".repeat(2000), "tenant", "blue");
    MultiMap headers = headers(Map.of("rpcrdma:program", "1", "rpcrdma:version", "2", "rpcrdma:procedure", "3",
        "rpcrdma:xid", "4", "rpcrdma:channel", "c", "rpcrdma:traceparent", PARENT, "rpcrdma:tracestate", "a=1"))
        .addAll(headers(all));
    CallHeaders read = CallHeaders.of(headers);
    assertThat(read.application()).isEqualTo(all);
    assertThat(read.trace().traceParent()).isEqualTo(PARENT);
    assertThat(read.trace().traceState()).isEqualTo("a=1");
  }

  /** Fails if a constant of {@code Names} changes, or a status is written by anything but its number. */
  @Test
  @DisplayName("Replies are written in, and read from, the headers that are known")
  void replies() {
    Map<ReplyHeader, Map<String, String>> all = Map.of(
        new ReplyHeader.Accepted(1, AcceptStatus.GARBAGE_ARGS), Map.of("rpcrdma:accept-stat", "4"),
        new ReplyHeader.Accepted(1, OpaqueAuth.NONE, AcceptStatus.PROG_MISMATCH, 5, 0xfffffffe),
        Map.of("rpcrdma:accept-stat", "2", "rpcrdma:low", "5", "rpcrdma:high", "4294967294"),
        new ReplyHeader.AuthError(1, AuthStatus.TOOWEAK), Map.of("rpcrdma:auth-stat", "5"));
    all.forEach((header, names) -> {
      assertThat(written(header)).isEqualTo(names);
      assertThat(ReplyHeaders.of(headers(names), 1)).isEqualTo(header);
    });
    assertThat(ReplyHeaders.maxCalls(headers(Map.of("rpcrdma:max-calls", "6")))).hasValue(6);
  }
}
