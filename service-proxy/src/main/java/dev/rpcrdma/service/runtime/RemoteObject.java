// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a proxy calls, where a program has objects: the service itself, or an object that a call of it has made. */
public final class RemoteObject {

  /** Null for the service itself, whose procedures have no argument for it. */
  private final UUID id;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The service itself. */
  public RemoteObject() {
    this.id = null;
  }

  /**
   * An object of the service.
   *
   * @param id by which the service knows it
   */
  public RemoteObject(UUID id) {
    this.id = Objects.requireNonNull(id, "id");
  }

  void write(ValueWriter out) {
    if (id != null) {
      Identifiers.writeUUID(out, id, "object");
    }
  }

  boolean isClosed() {
    return closed.get();
  }

  /** Closes the proxy; false if it is closed already. */
  boolean close() {
    return closed.compareAndSet(false, true);
  }

  static IllegalStateException closed() {
    return new IllegalStateException("Proxy is closed");
  }
}
