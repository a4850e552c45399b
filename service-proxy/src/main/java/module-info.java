// SPDX-License-Identifier: Apache-2.0
/**
 * Annotated Java interfaces as ONC RPC programs: annotations, and what the code needs at run time that the processor
 * generates from them; and the event bus, as a transport of programs, and bridged.
 */
@SuppressWarnings("module")
module dev.rpcrdma.service {
  requires transitive dev.rpcrdma.api;
  requires transitive io.vertx.serviceproxy;
  // For records with @Nullable.
  requires static transitive io.vertx.codegen.api;
  requires io.vertx.core.logging;
  // Generated classes carry javax.annotation.processing.Generated.
  requires transitive java.compiler;
  requires static io.vertx.healthcheck;

  exports dev.rpcrdma.service;
  exports dev.rpcrdma.service.bridge;
  exports dev.rpcrdma.service.eventbus;
  exports dev.rpcrdma.service.runtime;
}
