// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus.impl;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.ItemSource;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Arguments that a worker has copied into memory which payloads share, so that nobody has to copy those again on an
 * event loop. They are lent until the call is done with.
 */
final class LargeArguments implements ItemSource {

  private final Payload memory;
  private final List<Payload> lent = new ArrayList<>(1);

  /** Copies. */
  LargeArguments(Vertx vertx, byte[] bytes) {
    memory = Payload.allocate(vertx, bytes.length);
    memory.bytes().put(bytes);
  }

  XdrReader reader() {
    return XdrReader.passing(memory.bytes(), this);
  }

  @Override
  public Optional<DataItem> take(long position, int length) {
    return Optional.empty();
  }

  @Override
  public Optional<DataItem> inline(int offset, int length) {
    Payload part = memory.slice(offset, length);
    lent.add(part);
    return Optional.of(part);
  }

  @Override
  public long nextPosition() {
    return Long.MAX_VALUE;
  }

  /** The call is done with; a service may have released what it was only lent. */
  void release() {
    lent.forEach(Payload::tryRelease);
    memory.tryRelease();
  }
}
