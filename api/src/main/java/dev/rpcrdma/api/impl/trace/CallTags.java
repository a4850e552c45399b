// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.trace;

import dev.rpcrdma.protocol.binding.ProgramNames;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.function.Function;

/**
 * What a span says of a call, by the attributes that OpenTelemetry has for ONC RPC.
 *
 * @param program the program's name
 * @param version the program's version
 * @param procedure the procedure's number
 * @param name the procedure's name
 * @param peer who is called, or calls; null if nobody can say
 */
record CallTags(String program, int version, int procedure, String name, SocketAddress peer) {

  static final TagExtractor<CallTags> EXTRACTOR = new Extractor();

  /** The name of its span. */
  String operation() {
    return ProgramNames.procedure(program, name);
  }

  private record Tag(String name, Function<CallTags, String> value) {}

  private static final class Extractor implements TagExtractor<CallTags> {

    private static final List<Tag> TAGS = List.of(
        new Tag("rpc.system", call -> "onc_rpc"),
        new Tag("onc_rpc.program.name", CallTags::program),
        new Tag("onc_rpc.version", call -> Integer.toUnsignedString(call.version)),
        new Tag("onc_rpc.procedure.name", CallTags::name),
        new Tag("onc_rpc.procedure.number", call -> Integer.toUnsignedString(call.procedure)),
        new Tag("network.peer.address", call -> call.peer.hostAddress() == null ? call.peer.host()
            : call.peer.hostAddress()),
        new Tag("network.peer.port", call -> Integer.toString(call.peer.port())));
    /** Of the peer, at the end. */
    private static final int OF_PEER = 2;

    @Override
    public int len(CallTags call) {
      return call.peer == null ? TAGS.size() - OF_PEER : TAGS.size();
    }

    @Override
    public String name(CallTags call, int index) {
      return TAGS.get(index).name();
    }

    @Override
    public String value(CallTags call, int index) {
      return TAGS.get(index).value().apply(call);
    }
  }
}
