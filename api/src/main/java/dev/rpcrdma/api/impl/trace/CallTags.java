package dev.rpcrdma.api.impl.trace;

import dev.rpcrdma.protocol.binding.ProgramNames;
import io.vertx.core.spi.tracing.TagExtractor;
import java.util.List;
import java.util.function.Function;

/**
 * What a span says of a call, by the attributes that OpenTelemetry has for ONC RPC.
 *
 * @param program the program's name
 * @param version the program's version
 * @param procedure the procedure's number
 * @param name the procedure's name
 */
record CallTags(String program, int version, int procedure, String name) {

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
        new Tag("onc_rpc.procedure.number", call -> Integer.toUnsignedString(call.procedure)));

    @Override
    public int len(CallTags call) {
      return TAGS.size();
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
