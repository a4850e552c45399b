// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A session with a name. */
final class SessionImpl implements Session {

  private final String name;
  private final Queue<String> closed;
  private final List<String> notes = new CopyOnWriteArrayList<>();

  SessionImpl(String name, Queue<String> closed) {
    this.name = name;
    this.closed = closed;
  }

  @Override
  public Future<String> begin() {
    return Future.succeededFuture(name + " begun");
  }

  @Override
  public Future<String> insert(String key, JsonObject data) {
    return Future.succeededFuture(name + ": " + key + "=" + data.encode());
  }

  @Override
  public Session note(String text) {
    notes.add(text);
    return this;
  }

  @Override
  public Future<String> notes() {
    return Future.succeededFuture(String.join(",", notes));
  }

  @Override
  public Future<Session> nested(String inner) {
    return Future.succeededFuture(inner == null ? null : new SessionImpl(name + "/" + inner, closed));
  }

  @Override
  public Future<Void> close() {
    closed.add(name);
    return Future.succeededFuture();
  }
}
