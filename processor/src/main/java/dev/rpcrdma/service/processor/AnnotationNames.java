// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.Set;

/** The annotations that interfaces carry. By name, as {@link ClassNames}. */
final class AnnotationNames {

  static final String DIRECT_PLACEMENT = "dev.rpcrdma.service.DirectPlacement";
  static final String IDEMPOTENT = "dev.rpcrdma.service.Idempotent";
  static final String INTO = "dev.rpcrdma.service.Into";
  static final String MAX_LENGTH = "dev.rpcrdma.service.MaxLength";
  static final String MAX_REPLY = "dev.rpcrdma.service.MaxReply";
  static final String READ_ONLY = "dev.rpcrdma.service.ReadOnly";
  static final String ROUTING_KEY = "dev.rpcrdma.service.RoutingKey";
  static final String RPC_PROCEDURE = "dev.rpcrdma.service.RpcProcedure";
  static final String RPC_PROGRAM = "dev.rpcrdma.service.RpcProgram";
  static final String XDR_CASE = "dev.rpcrdma.service.XdrCase";
  static final String XDR_VALUE = "dev.rpcrdma.service.XdrValue";

  static final Set<String> ALL = Set.of(DIRECT_PLACEMENT, IDEMPOTENT, INTO, MAX_LENGTH, MAX_REPLY, READ_ONLY,
      ROUTING_KEY, RPC_PROCEDURE, RPC_PROGRAM, XDR_CASE, XDR_VALUE);

  private AnnotationNames() {}
}
