// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.trace;

import dev.rpcrdma.protocol.binding.ProgramNames;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tracing.TagExtractor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Attributes of a call's span, by OpenTelemetry's conventions for RPC. Vert.x hands attributes to tracers as text, so
 * that numbers are text too.
 *
 * @param program the program's name
 * @param version the program's version
 * @param procedure the procedure's number
 * @param name the procedure's name
 * @param peer the other end; null if it is not known
 */
record CallTags(String program, int version, int procedure, String name, SocketAddress peer) {

  private record Tag(String name, Function<CallTags, String> value) {}

  private static final Tag PEER_ADDRESS = new Tag("network.peer.address",
      call -> call.peer.hostAddress() == null ? call.peer.host() : call.peer.hostAddress());
  private static final Tag PEER_PORT = new Tag("network.peer.port", call -> Integer.toString(call.peer.port()));

  /** Text by which applications choose between versions of the conventions. */
  private static final String OPT_IN = Objects.requireNonNullElse(System.getenv("OTEL_SEMCONV_STABILITY_OPT_IN"), "");

  /** Attributes of a call that is made. */
  static final TagExtractor<CallTags> CLIENT = client(OPT_IN);

  /** Attributes of a call that is served. */
  static final TagExtractor<CallTags> SERVER = server(OPT_IN);

  /** The name of the span, which is that of the method. */
  String operation() {
    return ProgramNames.procedure(program, name);
  }

  /** Creates an extractor for calls that are made. */
  static TagExtractor<CallTags> client(String optIn) {
    return new Extractor(call(optIn), List.of(
        new Tag("server.address", call -> call.peer.host()),
        new Tag("server.port", call -> Integer.toString(call.peer.port())),
        PEER_ADDRESS, PEER_PORT));
  }

  /** Creates an extractor for calls that are served. */
  static TagExtractor<CallTags> server(String optIn) {
    return new Extractor(call(optIn), List.of(PEER_ADDRESS, PEER_PORT));
  }

  /** Returns the attribute of a call's end. */
  static TagExtractor<Object> outcome(Throwable failure) {
    return failure == null ? TagExtractor.empty() : new Failure(failure.getClass().getName());
  }

  private static List<Tag> call(String optIn) {
    List<Tag> tags = new ArrayList<>(List.of(
        new Tag("rpc.system.name", call -> "onc_rpc"),
        new Tag("rpc.method", CallTags::operation),
        new Tag("onc_rpc.program.name", CallTags::program),
        new Tag("onc_rpc.version", call -> Integer.toUnsignedString(call.version)),
        new Tag("onc_rpc.procedure.name", CallTags::name),
        new Tag("onc_rpc.procedure.number", call -> Integer.toUnsignedString(call.procedure))));
    if (Arrays.asList(optIn.split("\\s*,\\s*")).contains("rpc/dup")) {
      tags.add(new Tag("rpc.system", call -> "onc_rpc"));
    }
    return tags;
  }

  /** Attributes of the call, and behind them those of its peer. */
  private static final class Extractor implements TagExtractor<CallTags> {

    private final List<Tag> tags;
    private final int ofPeer;

    Extractor(List<Tag> ofCall, List<Tag> ofPeer) {
      this.tags = Stream.concat(ofCall.stream(), ofPeer.stream()).toList();
      this.ofPeer = ofPeer.size();
    }

    @Override
    public int len(CallTags call) {
      return call.peer == null ? tags.size() - ofPeer : tags.size();
    }

    @Override
    public String name(CallTags call, int index) {
      return tags.get(index).name();
    }

    @Override
    public String value(CallTags call, int index) {
      return tags.get(index).value().apply(call);
    }
  }

  private record Failure(String type) implements TagExtractor<Object> {

    @Override
    public int len(Object outcome) {
      return 1;
    }

    @Override
    public String name(Object outcome, int index) {
      return "error.type";
    }

    @Override
    public String value(Object outcome, int index) {
      return type;
    }
  }
}
