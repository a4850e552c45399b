// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import dev.rpcrdma.api.Payload;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;

/**
 * What a service gets for an {@link Into} parameter: a payload without room. The caller's memory
 * cannot be named over the wire; the service returns a payload of its own, and the transport places
 * its bytes in the caller's.
 */
public final class NoTarget implements Payload {

  /** The only one. Retaining and releasing it does nothing. */
  public static final Payload PAYLOAD = new NoTarget();

  private NoTarget() {}

  @Override
  public int length() {
    return 0;
  }

  @Override
  public void copyTo(ByteBuffer target) {
    Objects.requireNonNull(target, "target");
  }

  @Override
  public ByteBuffer bytes() {
    return ByteBuffer.allocateDirect(0);
  }

  @Override
  public Buffer toBuffer() {
    return Buffer.buffer();
  }

  /** Writes nothing, and touches no file. */
  @Override
  public Future<Void> writeTo(Vertx vertx, Path path, long offset) {
    return Future.succeededFuture();
  }

  @Override
  public Payload slice(int offset, int length) {
    Objects.checkFromIndexSize(offset, length, 0);
    return this;
  }

  @Override
  public Payload retain() {
    return this;
  }

  @Override
  public String toString() {
    return "NoTarget";
  }
}
