// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.replicated;

import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.replicated.CallIdentity;
import dev.rpcrdma.protocol.replicated.ReplyEntry;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A service whose calls are claimed before they are executed, and stored before they are answered, if they have an
 * identity. From any thread.
 */
public final class ReplicatedService implements RpcService {

  private final RpcService inner;
  private final UpperLayerBinding binding;
  private final ReplyMap map;
  private final int maxReplyBytes;
  /** No other service has it, on whatever node. */
  private final String name = UUID.randomUUID().toString();
  private final AtomicLong attempts = new AtomicLong();
  /** What is being claimed, executed or stored here, by identity. */
  private final Map<CallIdentity, ClaimAttempt> running = new ConcurrentHashMap<>();

  /**
   * A service around another one.
   *
   * @param maxReplyBytes the largest reply that is stored
   */
  public ReplicatedService(RpcService inner, ReplyMap map, int maxReplyBytes) {
    this.inner = inner;
    this.map = map;
    this.maxReplyBytes = maxReplyBytes;
    this.binding = once(inner.binding());
  }

  /** A repetition of any call gets the first answer: an executed call must not be told to be unclaimed. */
  private static UpperLayerBinding once(UpperLayerBinding binding) {
    Map<Integer, ProcedureBinding> procedures = new HashMap<>();
    binding.procedures().forEach((number, each) -> procedures.put(number, each.readOnly() ? each
        : new ProcedureBinding(each.name(), each.eligibleArguments(), each.eligibleResults(), each.replyBound())));
    return new UpperLayerBinding(binding.name(), binding.program(), binding.version(), binding.port(), procedures);
  }

  @Override
  public UpperLayerBinding binding() {
    return binding;
  }

  @Override
  public RpcAccess access(int procedure) {
    return inner.access(procedure);
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    String text = call.headers().get(CallIdentity.HEADER);
    if (text == null) {
      return inner.handle(call);
    }
    CallIdentity identity;
    try {
      identity = CallIdentity.parse(text);
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(new RpcStatusException(AcceptStatus.GARBAGE_ARGS, Causes.message(e)));
    }
    Context context = Vertx.currentContext();
    String user = user(call);
    ClaimAttempt attempt = new ClaimAttempt(this, call, context, identity.key(),
        ReplyEntry.claim(identity.number(), name + "/" + attempts.incrementAndGet(), user));
    ClaimAttempt first = running.putIfAbsent(identity, attempt);
    if (first != null) {
      return first.joined(context, user);
    }
    return attempt.begin(() -> running.remove(identity, attempt));
  }

  /** The same for all servers and connections; names of certificates are long, and are nobody's business. */
  private static String user(RpcCall call) {
    return call.user().map(user -> {
      try {
        byte[] digest = MessageDigest.getInstance("SHA-256")
            .digest((user.proof() + " " + user.name()).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, 16);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("Each JDK has SHA-256", e);
      }
    }).orElse("");
  }

  RpcService inner() {
    return inner;
  }

  ReplyMap map() {
    return map;
  }

  int maxReplyBytes() {
    return maxReplyBytes;
  }
}
