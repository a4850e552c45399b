// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.replicated;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.impl.call.CallInService;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.replicated.ClaimStep;
import dev.rpcrdma.protocol.replicated.ReplyEntry;
import dev.rpcrdma.protocol.replicated.ReplyHead;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.logging.Logger;
import io.vertx.core.internal.logging.LoggerFactory;
import java.nio.ByteBuffer;

/**
 * A call with an identity at one server: does what {@link ClaimStep} says, one step after the other, on the call's
 * context.
 */
final class ClaimAttempt {

  private static final Logger LOG = LoggerFactory.getLogger(ClaimAttempt.class);

  private final ReplicatedService service;
  private final RpcCall call;
  private final Context context;
  private final String key;
  private final ReplyEntry claim;
  private final Promise<XdrEncoder> answer;
  /** The last step, for who has the same call. */
  private final Promise<ClaimStep> ended = Promise.promise();
  private Runnable whenEnded;
  /** What this server has made of the call; null before it is executed. */
  private Future<XdrEncoder> own;

  ClaimAttempt(ReplicatedService service, RpcCall call, Context context, String key, ReplyEntry claim) {
    this.service = service;
    this.call = call;
    this.context = context;
    this.key = key;
    this.claim = claim;
    this.answer = Contexts.promise(context);
  }

  /**
   * Claims the call, and so on.
   *
   * @param end called once, before the answer is there
   */
  Future<XdrEncoder> begin(Runnable end) {
    whenEnded = end;
    go(ClaimStep.begin(claim));
    return answer.future();
  }

  /** The answer for who has the same call, on a context of its own. */
  Future<XdrEncoder> joined(Context other, String user) {
    if (!user.equals(claim.user())) {
      return StoredReply.head(ReplyHead.OTHER_USER);
    }
    Promise<ClaimStep> heard = Contexts.promise(other);
    ended.future().onComplete(heard);
    return heard.future().compose(last -> switch (last.kind()) {
      case FINISH -> switch (last.to().state()) {
        case ANSWERED -> StoredReply.answer(last.to().reply());
        case GONE -> StoredReply.head(ReplyHead.REPLY_GONE);
        default -> StoredReply.head(ReplyHead.NOT_CLAIMED);
      };
      default -> answer(last);
    });
  }

  private void go(ClaimStep step) {
    switch (step.kind()) {
      case INSERT -> service.map().insert(context, call.millisLeft(), key, step.to())
          .onComplete((found, cause) -> go(cause == null ? step.found(found) : step.failed()));
      case READ -> service.map().read(context, call.millisLeft(), key)
          .onComplete((found, cause) -> go(cause == null ? step.found(found) : step.failed()));
      case REPLACE -> service.map().replace(context, call.millisLeft(), key, step.from(), step.to())
          .onComplete((done, cause) -> go(cause == null ? step.replaced(done) : step.failed()));
      // Also of a call whose time is over: a caller may repeat it.
      case RELEASE -> service.map().replace(context, Long.MAX_VALUE, key, step.from(), step.to())
          .onComplete((done, cause) -> go(cause == null ? step.replaced(done) : step.failed()));
      case EXECUTE -> execute(step);
      case STORE -> service.map().replace(context, Long.MAX_VALUE, key, step.from(), step.to())
          .onComplete((done, cause) -> go(cause == null ? step.stored() : step.failed()));
      default -> end(step);
    }
  }

  // Executing

  private void execute(ClaimStep step) {
    if (call instanceof CallInService waiting && waiting.callerGone()) {
      // The map has taken its time.
      own = Future.failedFuture(CallInService.NEVER_BEGUN);
      go(step.executed(claim.released()));
      return;
    }
    Future<XdrEncoder> results;
    try {
      results = service.inner().handle(call);
      if (results == null) {
        results = Future.failedFuture(new NullPointerException("The service returned no Future"));
      }
    } catch (Throwable e) {
      // Also an Error, as of a class that is not there.
      results = Future.failedFuture(e);
    }
    boolean atOnce = results.isComplete();
    results.onComplete(done -> go(step.executed(outcome(done, atOnce))));
  }

  private ReplyEntry outcome(AsyncResult<XdrEncoder> done, boolean atOnce) {
    if (done.failed()) {
      own = Future.failedFuture(done.cause());
      return done.cause() == CallInService.NEVER_BEGUN || atOnce && refuses(done.cause()) ? claim.released()
          : claim.answered(StoredReply.stored(done.cause()));
    }
    XdrWriter writer = new XdrWriter();
    try {
      done.result().encode(writer);
      PayloadStream results = writer.toPayloadStream();
      ByteBuffer stored = StoredReply.stored(results, service.maxReplyBytes());
      own = Future.succeededFuture(StoredReply.results(results));
      return stored == null ? claim.gone() : claim.answered(stored);
    } catch (Throwable e) {
      writer.toPayloadStream().releaseItemsLeft();
      LOG.warn("The results of " + service.binding().describe(call.procedure()) + " cannot be encoded", e);
      RpcStatusException status = new RpcStatusException(AcceptStatus.SYSTEM_ERR, "The results cannot be encoded");
      own = Future.failedFuture(status);
      return claim.answered(StoredReply.stored(status));
    }
  }

  /** Whether a service says that it has not executed the call, if it says so at once. */
  private static boolean refuses(Throwable cause) {
    return cause instanceof XdrException || cause instanceof RpcStatusException refusal
        && refusal.status().filter(AcceptStatus.SYSTEM_ERR::equals).isEmpty();
  }

  // The end

  private void end(ClaimStep last) {
    whenEnded.run();
    ended.complete(last);
    (last.kind() == ClaimStep.Kind.FINISH ? own : answer(last)).onComplete(answer);
  }

  private static Future<XdrEncoder> answer(ClaimStep last) {
    return switch (last.kind()) {
      case ANSWER -> stored(last.to());
      case CLAIMED_BEFORE -> StoredReply.head(ReplyHead.CLAIMED_BEFORE);
      case REPLY_GONE -> StoredReply.head(ReplyHead.REPLY_GONE);
      case LATE -> StoredReply.head(ReplyHead.LATE);
      case OTHER_USER -> StoredReply.head(ReplyHead.OTHER_USER);
      default -> StoredReply.head(ReplyHead.NOT_CLAIMED);
    };
  }

  private static Future<XdrEncoder> stored(ReplyEntry entry) {
    try {
      return StoredReply.answer(entry.reply());
    } catch (RuntimeException e) {
      LOG.warn("A stored reply cannot be read", e);
      return StoredReply.head(ReplyHead.REPLY_GONE);
    }
  }
}
