// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import io.vertx.codegen.annotations.Fluent;
import io.vertx.codegen.annotations.ProxyClose;
import io.vertx.codegen.annotations.ProxyGen;
import io.vertx.codegen.annotations.VertxGen;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** What a service makes for a caller. */
@ProxyGen
@VertxGen
public interface Session {

  Future<String> begin();

  Future<String> insert(String name, JsonObject data);

  @Fluent
  Session note(String text);

  Future<String> notes();

  Future<Session> nested(String name);

  @ProxyClose
  Future<Void> close();
}
