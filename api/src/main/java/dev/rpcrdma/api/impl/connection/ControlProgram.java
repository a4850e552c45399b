// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.TokenVerifier;
import dev.rpcrdma.api.impl.call.CallInService;
import dev.rpcrdma.api.impl.security.TokenHandles;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.control.ControlProcedures;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The toolkit's own program, by which a client says which programs it serves in the reverse
 * direction. Every server of ours serves it; a server that does not is never called back by it. Header
 * types are announced as versions of a program that nobody calls, and so is that the connection has turned out to
 * have no RDMA Reads, so that the client cannot pull replies. GIVE_UP and LEAVING are answered by the connection's
 * machine where both ends take metadata, and are no procedures of it elsewhere.
 *
 * <pre>
 *   struct announced { unsigned int program; unsigned int version; };
 *   struct handle { opaque id[16]; unsigned int seconds; };
 *   program RPCRDMA_CONTROL {
 *     version RPCRDMA_CONTROL_V1 {
 *       void ANNOUNCE(announced&lt;256&gt;) = 1;
 *       handle EXCHANGE(opaque token&lt;65536&gt;) = 2;
 *       void GIVE_UP(unsigned int xids&lt;200&gt;) = 3;
 *       void LEAVING(void) = 4;
 *     } = 1;
 *   } = 0x2006F000;
 * </pre>
 */
public final class ControlProgram implements RpcService {

  private static final Logger LOG = LoggerFactory.getLogger(ControlProgram.class);

  private static final int ANNOUNCE = ControlProcedures.ANNOUNCE;
  private static final int EXCHANGE = ControlProcedures.EXCHANGE;
  private static final int MAX_TOKEN = 65_536;
  private static final int MAX_PROGRAMS = 256;

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("RPCRDMA_CONTROL",
      ControlProcedures.PROGRAM, ControlProcedures.VERSION,
      OptionalInt.empty(), Map.of(
          ANNOUNCE, new ProcedureBinding("ANNOUNCE", 0, 0, ReplyBound.of(0)).asIdempotent(),
          EXCHANGE, new ProcedureBinding("EXCHANGE", 0, 0, ReplyBound.of(TokenHandles.LENGTH + 4)).asIdempotent()));

  private final RpcConnectionImpl connection;
  private final TokenVerifier tokens;

  /**
   * That of one connection.
   *
   * @param tokens judges tokens; null if none are taken
   */
  public ControlProgram(RpcConnectionImpl connection, TokenVerifier tokens) {
    this.tokens = tokens;
    this.connection = connection;
  }

  @Override
  public UpperLayerBinding binding() {
    return BINDING;
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    return call.procedure() == EXCHANGE ? exchanged(call, call.arguments()) : announced(call.arguments());
  }

  private Future<XdrEncoder> exchanged(RpcCall call, XdrReader reader) {
    String token = new String(reader.opaque(MAX_TOKEN), StandardCharsets.UTF_8);
    reader.end();
    if (tokens == null) {
      return Future.failedFuture(new RpcStatusException(AcceptStatus.PROC_UNAVAIL, "No tokens are taken here"));
    }
    return verified(token).recover(e -> {
      LOG.info("A token of " + connection.remoteAddress() + " is refused: " + Causes.message(e));
      return Future.failedFuture(new RpcStatusException(AuthStatus.BADCRED, "The token is refused"));
    }).compose(user -> Future.future(promise -> connection.onLoop(() -> give(call, user, promise))));
  }

  private Future<RpcUser> verified(String token) {
    try {
      return Objects.requireNonNull(tokens.verify(token, connection), "The verifier returned no Future")
          .map(user -> Objects.requireNonNull(user, "The verifier has completed its Future without a user"));
    } catch (Throwable e) {
      return Future.failedFuture(e);
    }
  }

  /** Completes the promise on any thread: what is thrown there would leave the client without an answer. */
  private void give(RpcCall call, RpcUser user, Promise<XdrEncoder> promise) {
    Future<XdrEncoder> given;
    try {
      // Nobody would hear of a handle that comes too late, and it would take the place of another one.
      given = CallInService.begin(call, () -> Future.succeededFuture(given(user)));
    } catch (Throwable e) {
      given = Future.failedFuture(e);
    }
    given.onComplete(promise);
  }

  private XdrEncoder given(RpcUser user) {
    byte[] handle = connection.handles().add(user, System.nanoTime());
    long seconds = user.validFor().map(Duration::toSeconds).orElse(0L);
    int told = (int) Math.min(user.validFor().isPresent() ? Math.max(1, seconds) : 0, Integer.MAX_VALUE);
    return writer -> writer.fixedOpaque(handle).int32(told);
  }

  private Future<XdrEncoder> announced(XdrReader reader) {
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

  /**
   * What a token was exchanged for.
   *
   * @param credential of calls from now on
   * @param seconds how long it is good for; 0 for as long as the server remembers the client
   */
  public record Handle(OpaqueAuth credential, int seconds) {}

  /** The call that exchanges a token; part of connecting, and given as long. */
  public static RpcRequest<Handle> exchange(String token, Duration timeout) {
    return RpcRequest.to(BINDING, EXCHANGE)
        .arguments(writer -> writer.string(token))
        .results(reader -> new Handle(new OpaqueAuth(TokenHandles.FLAVOR, reader.fixedOpaque(TokenHandles.LENGTH)),
            reader.int32()))
        .options(CallOptions.DEFAULT.withTimeout(timeout).withCredentials(OpaqueAuth.NONE)).build();
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
    }).options(CallOptions.DEFAULT.withTimeout(timeout).withCredentials(OpaqueAuth.NONE)).build();
  }
}
