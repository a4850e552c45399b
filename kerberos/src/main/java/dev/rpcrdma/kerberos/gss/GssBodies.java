// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import dev.rpcrdma.protocol.security.BodyProtection;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Protects arguments and results of one call by integrity or privacy.
 *
 * @param service which of the two
 * @param context who signs or encrypts
 * @param sequence of the call
 * @param work for what takes long
 */
record GssBodies(GssService service, GssContext context, int sequence, Executor work) implements BodyProtection {

  /** What is longer is not signed or encrypted between other calls of its event loop: that takes 10 µs and more. */
  static final int LARGE = 8 * 1024;

  /** Empty for what has no protection of its own. */
  static Optional<BodyProtection> of(GssService service, GssContext context, int sequence, Executor work) {
    return service.hasProtectedBodies()
        ? Optional.of(new GssBodies(service, context, sequence, work)) : Optional.empty();
  }

  @Override
  public long protectedLength(long length) {
    return ProtectedBody.length(service, context, length);
  }

  @Override
  public void protect(ByteBuffer body, Consumer<Optional<byte[]>> then) {
    run(body, () -> then.accept(protect(body)), () -> then.accept(Optional.empty()));
  }

  private Optional<byte[]> protect(ByteBuffer body) {
    try {
      return Optional.of(ProtectedBody.protect(service, context, sequence, body));
    } catch (Throwable e) {
      // A mechanism that cannot go on, as after its context was disposed of.
      return Optional.empty();
    }
  }

  @Override
  public void open(ByteBuffer body, Consumer<Optional<ByteBuffer>> then) {
    // What was signed stays where it is when it is opened, and what is large is opened later.
    ByteBuffer kept = service == GssService.INTEGRITY || body.remaining() > LARGE
        ? ByteBuffer.allocate(body.remaining()).put(body.duplicate()).flip() : body;
    run(kept, () -> then.accept(open(kept)), () -> then.accept(Optional.empty()));
  }

  private Optional<ByteBuffer> open(ByteBuffer body) {
    try {
      return Optional.of(ProtectedBody.open(service, context, sequence, body));
    } catch (Throwable e) {
      // Malformed, not the peer's, of another call; or a mechanism that cannot go on. Nobody is told which it is.
      return Optional.empty();
    }
  }

  private void run(ByteBuffer body, Runnable task, Runnable otherwise) {
    if (body.remaining() <= LARGE) {
      task.run();
      return;
    }
    try {
      work.execute(task);
    } catch (RejectedExecutionException e) {
      // Whoever was to do it has ended.
      otherwise.run();
    }
  }
}
