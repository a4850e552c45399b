// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.transport;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.impl.call.CallBeingServed;
import dev.rpcrdma.api.impl.call.CurrentCall;
import dev.rpcrdma.api.impl.call.Executions;
import dev.rpcrdma.api.impl.loop.LoopCalls;
import dev.rpcrdma.api.impl.loop.LoopDeadlines;
import dev.rpcrdma.api.impl.security.Users;
import dev.rpcrdma.api.spi.IncomingCall;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A call that a transport has brought: judged, made ready, served on a context of its own, and answered once. If nobody
 * waits any more it is answered at once, and what its service then says is dropped.
 */
final class HostedCall extends CallBeingServed {

  private static final Logger LOG = LoggerFactory.getLogger(HostedCall.class);

  private static final ByteBuffer NO_MESSAGE = ByteBuffer.allocate(0);

  private final ServiceHostImpl host;
  private final IncomingCall call;
  private final Executions.Execution execution;
  private final long deadline;
  private final AtomicBoolean answered = new AtomicBoolean();
  private final AtomicBoolean done = new AtomicBoolean();
  private final Deadlines.Entry timer = new Deadlines.Entry() {
    @Override
    protected void expired(long now) {
      giveUp();
    }
  };
  /** Set before the service has it. */
  private Optional<RpcUser> user = Optional.empty();
  private XdrReader arguments;

  HostedCall(ServiceHostImpl host, RpcService service, IncomingCall call, Context context,
      Executions.Execution execution, long deadline) {
    super(service, context);
    this.host = host;
    this.call = call;
    this.execution = execution;
    this.deadline = deadline;
  }

  /** On the host's loop. */
  void begin() {
    deadlines().add(timer, deadline);
    Future<XdrReader> ready;
    try {
      checkCredential();
      ready = call.user().compose(known -> {
        user = known.isPresent() ? known : Users.of(credentials());
        checkAccess();
        return call.arguments();
      });
    } catch (Throwable e) {
      ready = Future.failedFuture(e);
    }
    ready.onComplete(reader -> {
      arguments = reader;
      CurrentCall.set(context(), this);
      if (!Contexts.tell(context(), this, HostedCall::run)) {
        // The verticle that has bound the service is undeployed, and its worker pool is closed.
        neverServe();
      }
    }, this::failed);
  }

  private Deadlines deadlines() {
    return LoopDeadlines.of(Contexts.eventLoop(host.context()));
  }

  /** What proves nothing is judged as connections judge it. */
  private void checkCredential() {
    if (Authenticator.PLAIN.judge(header(), NO_MESSAGE, null) instanceof Verdict.Refused refused) {
      throw new RpcStatusException(refused.status(), "Its credential is not taken here: " + credentials());
    }
  }

  private void checkAccess() {
    String name = user.map(RpcUser::name).orElse("nobody");
    boolean accepted;
    try {
      accepted = Objects.requireNonNull(service().access(procedure()), "The service said null").accepts(user);
    } catch (Throwable e) {
      // Also an Error, as of a class that is not there: a service that cannot say whom it takes takes nobody.
      LOG.warn("Whether " + name + " may call cannot be told; the call is refused", e);
      throw new RpcStatusException(AuthStatus.FAILED, "Whether " + name + " may call cannot be told");
    }
    if (!accepted) {
      throw new RpcStatusException(AuthStatus.TOOWEAK, "The service does not take the call of " + name);
    }
  }

  private static void run(HostedCall call) {
    call.serve(call.host.tracingPolicy());
  }

  /** Nobody waits any more; on the host's loop. */
  void giveUp() {
    if (abandon() && answered.compareAndSet(false, true)) {
      execution.leave(System.nanoTime());
      reject(new ReplyHeader.Accepted(xid(), AcceptStatus.SYSTEM_ERR));
    }
  }

  // Answers

  @Override
  protected void reply(XdrEncoder results) {
    XdrWriter writer = new XdrWriter();
    PayloadStream written;
    try {
      results.encode(writer);
      written = writer.toPayloadStream();
    } catch (Throwable e) {
      // Also an Error, as of a class that is not there.
      writer.toPayloadStream().releaseItemsLeft();
      finish();
      unwritten(answered.compareAndSet(false, true), e);
      return;
    }
    finish();
    if (!answered.compareAndSet(false, true)) {
      written.releaseItemsLeft();
      return;
    }
    Future<Void> sent;
    try {
      sent = call.reply(written);
    } catch (Throwable e) {
      sent = Future.failedFuture(e);
    }
    sent.onComplete(outcome -> {
      written.releaseItemsLeft();
      if (outcome.failed()) {
        unwritten(true, outcome.cause());
      } else {
        leave();
      }
    });
  }

  private void unwritten(boolean waited, Throwable cause) {
    LOG.warn("The results of " + describe() + " cannot be encoded; its caller, " + caller() + ", gets SYSTEM_ERR",
        cause);
    if (waited) {
      reject(new ReplyHeader.Accepted(xid(), AcceptStatus.SYSTEM_ERR));
    }
  }

  @Override
  protected void fail(AcceptStatus status) {
    answer(new ReplyHeader.Accepted(xid(), status));
  }

  @Override
  protected void refuse(AuthStatus status) {
    answer(new ReplyHeader.AuthError(xid(), status));
  }

  @Override
  protected void drop() {
    fail(AcceptStatus.SYSTEM_ERR);
  }

  private void answer(ReplyHeader header) {
    finish();
    if (answered.compareAndSet(false, true)) {
      reject(header);
    }
  }

  private void reject(ReplyHeader header) {
    try {
      call.reject(header);
    } catch (Throwable e) {
      LOG.warn(describe() + " cannot be answered to " + caller(), e);
    }
    leave();
  }

  /** The service is done with the arguments, or never gets them. */
  private void finish() {
    if (done.compareAndSet(false, true)) {
      execution.end();
      call.done();
    }
  }

  /** It has been answered. */
  private void leave() {
    try {
      LoopCalls.run(Contexts.eventLoop(host.context()), () -> {
        deadlines().remove(timer);
        host.ended();
      });
    } catch (RejectedExecutionException e) {
      // The loop has ended, and with it all that counts calls.
    }
  }

  // What the service sees

  @Override
  public RpcConnection connection() {
    throw new UnsupportedOperationException("The call came over no connection; peer() is who makes it");
  }

  @Override
  public RpcCaller peer() {
    return call.peer();
  }

  @Override
  public Optional<RpcUser> user() {
    return user;
  }

  @Override
  public XdrReader arguments() {
    return arguments;
  }

  @Override
  public Map<String, String> headers() {
    return call.headers();
  }

  @Override
  protected CallHeader header() {
    return call.header();
  }

  @Override
  protected Metadata metadata() {
    return call.metadata();
  }

  @Override
  protected SocketAddress origin() {
    return null;
  }

  @Override
  protected String caller() {
    return call.caller();
  }

  @Override
  protected long waitedFor() {
    return deadline;
  }
}
