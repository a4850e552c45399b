package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The toolkit's own program, by which a client says which programs it serves in the reverse
 * direction. Every server of ours serves it; a server that does not is never called back by it. Header
 * types are announced as versions of a program that nobody calls, and so is that the connection has turned out to
 * have no RDMA Reads, so that the client cannot pull replies.
 *
 * <pre>
 *   struct announced { unsigned int program; unsigned int version; };
 *   program RPCRDMA_CONTROL {
 *     version RPCRDMA_CONTROL_V1 {
 *       void ANNOUNCE(announced&lt;256&gt;) = 1;
 *     } = 1;
 *   } = 0x2006F000;
 * </pre>
 */
public final class ControlProgram implements RpcService {

  static final int PROGRAM = 0x2006F000;
  private static final int VERSION = 1;
  private static final int ANNOUNCE = 1;
  private static final int MAX_PROGRAMS = 256;

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("RPCRDMA_CONTROL", PROGRAM, VERSION,
      OptionalInt.empty(), Map.of(ANNOUNCE, new ProcedureBinding("ANNOUNCE", 0, 0,
          ReplyBound.of(0)).asIdempotent()));

  private final RpcConnectionImpl connection;

  public ControlProgram(RpcConnectionImpl connection) {
    this.connection = connection;
  }

  @Override
  public UpperLayerBinding binding() {
    return BINDING;
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    XdrReader reader = call.arguments();
    int count = reader.count(MAX_PROGRAMS, 8);
    Set<Announcements.Announced> all = new HashSet<>();
    for (int i = 0; i < count; i++) {
      all.add(new Announcements.Announced(reader.int32(), reader.int32()));
    }
    reader.end();
    connection.announcements().replace(all);
    connection.announced();
    return Future.succeededFuture(XdrEncoder.VOID);
  }

  /** The call that announces; part of connecting, and given as long. */
  public static RpcRequest<Void> announce(Collection<Announcements.Announced> all, Duration timeout) {
    if (all.size() > MAX_PROGRAMS) {
      throw new IllegalArgumentException(
          "At most " + MAX_PROGRAMS + " programs and header types can be announced");
    }
    return RpcRequest.to(BINDING, ANNOUNCE).arguments(writer -> {
      writer.int32(all.size());
      all.forEach(one -> writer.int32(one.program()).int32(one.version()));
    }).options(CallOptions.DEFAULT.withTimeout(timeout)).build();
  }
}
