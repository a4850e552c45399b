// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * RPCSEC_GSS of a server (RFC 2203, RFC 5403): makes contexts with its clients, and judges calls by them. One for all
 * connections, whatever they run over: a client may make a context over one of them, and use it over another.
 * From any thread.
 *
 * <p>Calls of other flavors are left to another authenticator.
 */
public final class GssServer implements Authenticator {

  /** GSS_S_NO_CONTEXT (RFC 2744 §3.9.1): the one that is being made was dropped. */
  static final int NO_CONTEXT = 8 << 16;
  /** GSS_S_FAILURE. */
  static final int FAILURE = 13 << 16;

  private static final int NULL_PROCEDURE = 0;
  private static final Verdict BAD_CREDENTIAL = new Verdict.Refused(AuthStatus.BADCRED);
  private static final Verdict BAD_VERIFIER = new Verdict.Refused(AuthStatus.BADVERF);
  private static final Verdict UNKNOWN = new Verdict.Refused(AuthStatus.RPCSEC_GSS_CREDPROBLEM);
  private static final Verdict OVER = new Verdict.Refused(AuthStatus.RPCSEC_GSS_CTXPROBLEM);

  private final GssServerSettings settings;
  private final Supplier<GssHandshake> mechanism;
  private final ContextTable contexts;
  private final Executor work;
  private final LongSupplier clock;
  private final Authenticator others;

  /**
   * Creates it.
   *
   * @param settings bounds
   * @param mechanism begins to accept a context
   * @param handles makes names of contexts, of {@link GssCredential#MAX_HANDLE} bytes at most, that nobody can guess
   * @param work for what blocks, or takes long
   * @param clock in nanoseconds
   * @param others judges calls of other flavors
   */
  public GssServer(GssServerSettings settings, Supplier<GssHandshake> mechanism, Supplier<byte[]> handles, Executor work,
      LongSupplier clock, Authenticator others) {
    this.settings = settings;
    this.mechanism = mechanism;
    this.contexts = new ContextTable(settings, handles);
    this.work = work;
    this.clock = clock;
    this.others = others;
  }

  /**
   * How many contexts stand.
   *
   * @return those whose time is over are among them until somebody asks for them, or another one stands
   */
  public int contexts() {
    return contexts.standing();
  }

  /**
   * How many contexts are being made.
   *
   * @return a count
   */
  public int unfinished() {
    return contexts.unfinished();
  }

  /** Over {@link SecureChannel#NONE}. */
  @Override
  public Verdict judge(CallHeader call, ByteBuffer message, Listener later) {
    return judge(call, message, SecureChannel.NONE, later);
  }

  @Override
  public Authenticator over(SecureChannel channel) {
    return (call, message, later) -> judge(call, message, channel, later);
  }

  private Verdict judge(CallHeader call, ByteBuffer message, SecureChannel channel, Listener later) {
    if (call.credential().flavor() != AuthFlavor.GSS) {
      return others.judge(call, message, later);
    }
    GssCredential credential;
    try {
      credential = GssCredential.from(call.credential());
    } catch (XdrException e) {
      return BAD_CREDENTIAL;
    }
    if (credential.procedure() != GssProcedure.DATA && call.procedure() != NULL_PROCEDURE) {
      return BAD_CREDENTIAL;
    }
    return credential.procedure().isCreation() ? creation(call, credential)
        : signed(call, credential, message, channel);
  }

  // Making contexts

  private Verdict creation(CallHeader call, GssCredential credential) {
    boolean first = credential.procedure() == GssProcedure.INIT;
    if (first != (credential.handle().length == 0)) {
      return BAD_CREDENTIAL;
    }
    if (!call.verifier().equals(OpaqueAuth.NONE)) {
      return BAD_VERIFIER;
    }
    return new Creation(first ? (token, then) -> begin(credential.version(), token, then)
        : (token, then) -> goOn(credential, token, then));
  }

  private void begin(int version, byte[] token, Creation.Answer then) {
    GssHandshake handshake;
    try {
      handshake = mechanism.get();
    } catch (Throwable e) {
      then.give(failed(FAILURE, 0), OpaqueAuth.NONE);
      return;
    }
    byte[] handle = contexts.begin(handshake, version, clock.getAsLong());
    step(handle, version, handshake, token, then);
  }

  private void goOn(GssCredential credential, byte[] token, Creation.Answer then) {
    ContextTable.Unfinished found = contexts.next(credential.handle(), credential.version(), clock.getAsLong());
    if (found == null) {
      then.give(failed(NO_CONTEXT, 0), OpaqueAuth.NONE);
    } else {
      step(credential.handle(), credential.version(), found.handshake(), token, then);
    }
  }

  private void step(byte[] handle, int version, GssHandshake handshake, byte[] token, Creation.Answer then) {
    try {
      work.execute(() -> take(handle, version, handshake, token, then));
    } catch (RejectedExecutionException e) {
      contexts.failed(handle);
      handshake.dispose();
      then.give(failed(FAILURE, 0), OpaqueAuth.NONE);
    }
  }

  private void take(byte[] handle, int version, GssHandshake handshake, byte[] token, Creation.Answer then) {
    if (!contexts.isUnfinished(handle)) {
      // Dropped while it waited for this thread: others are served first by not even looking at it.
      end(handle, handshake, failed(NO_CONTEXT, 0), then);
      return;
    }
    GssHandshake.Step step;
    try {
      step = handshake.next(token);
    } catch (GssFailure e) {
      end(handle, handshake, failed(e.major(), e.minor()), then);
      return;
    } catch (Throwable e) {
      // A mechanism that cannot cope with a token must not take the server with it.
      end(handle, handshake, failed(FAILURE, 0), then);
      return;
    }
    if (step.established().isEmpty()) {
      if (contexts.waits(handle)) {
        then.give(new GssInitResult(handle, GssInitResult.CONTINUE_NEEDED, 0, settings.window(), step.token()),
            OpaqueAuth.NONE);
      } else {
        end(handle, handshake, failed(NO_CONTEXT, 0), then);
      }
      return;
    }
    stand(handle, version, handshake, step, then);
  }

  private void stand(byte[] handle, int version, GssHandshake handshake, GssHandshake.Step step, Creation.Answer then) {
    GssHandshake.Established made = step.established().get();
    long now = clock.getAsLong();
    ServerContext context = new ServerContext(made.context(), made.peer(), version,
        made.lifetime().map(time -> now + time.toNanos()).orElse(Long.MAX_VALUE), settings.window());
    OpaqueAuth proof;
    try {
      proof = context.verifier(settings.window());
    } catch (Throwable e) {
      end(handle, handshake, failed(FAILURE, 0), then);
      return;
    }
    if (contexts.stands(handle, context, now)) {
      then.give(new GssInitResult(handle, GssInitResult.COMPLETE, 0, settings.window(), step.token()), proof);
    } else {
      end(handle, handshake, failed(NO_CONTEXT, 0), then);
    }
  }

  private void end(byte[] handle, GssHandshake handshake, GssInitResult result, Creation.Answer then) {
    contexts.failed(handle);
    handshake.dispose();
    then.give(result, OpaqueAuth.NONE);
  }

  private static GssInitResult failed(int major, int minor) {
    return new GssInitResult(new byte[0], major, minor, 0, new byte[0]);
  }

  // Using them

  private Verdict signed(CallHeader call, GssCredential credential, ByteBuffer message, SecureChannel channel) {
    ServerContext context = contexts.standing(credential.handle(), credential.version());
    if (context == null) {
      return UNKNOWN;
    }
    if (context.isOver(clock.getAsLong())) {
      contexts.remove(credential.handle());
      return OVER;
    }
    // What the caller signs ends with its credential (RFC 2203 §5.3.1).
    ByteBuffer head = message.duplicate();
    head.position(0).limit(CallHeader.FIXED_LENGTH + call.credential().encodedLength());
    if (credential.procedure() == GssProcedure.BIND_CHANNEL) {
      return Binder.judge(context, channel, credential, head, call.verifier(), clock.getAsLong());
    }
    if (credential.service() == GssService.CHANNEL ? !isBound(context, channel, call.verifier())
        : !context.hasSigned(head, call.verifier())) {
      return UNKNOWN;
    }
    if (credential.isExhausted()) {
      return OVER;
    }
    if (!context.take(credential.sequence())) {
      return Verdict.DROPPED;
    }
    SignedCall signed = new SignedCall(context, credential.sequence(), credential.service(), work);
    return credential.procedure() == GssProcedure.DATA ? signed
        : new Destruction(signed, () -> contexts.remove(credential.handle()));
  }

  /** RFC 5403 §3.4: then nothing has to be signed. */
  private static boolean isBound(ServerContext context, SecureChannel channel, OpaqueAuth verifier) {
    return context.isBound(channel) && verifier.equals(OpaqueAuth.NONE);
  }
}
