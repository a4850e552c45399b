// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.call.RestrictedProcedures;
import dev.rpcrdma.api.impl.call.RestrictedService;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Objects;

/**
 * The responder's side of one version of a program. Generated, or written by hand.
 */
public interface RpcService {

  /**
   * The program, its version, and its rules for RDMA.
   *
   * @return always the same binding
   */
  UpperLayerBinding binding();

  /**
   * Serves one call. Runs on a duplicate of the context the service was bound on, so its locals are
   * the call's own, with {@link RpcCall#current()} set.
   *
   * <p>Procedures that the binding does not list, and procedure 0 unless it lists it, never get here.
   *
   * @param call arguments and circumstances
   * @return writes the results, on the connection's event loop; over the event bus on the thread that completes it.
   *     Data items that it writes are released when the reply has gone. If the future fails, or this method throws:
   *     {@link dev.rpcrdma.protocol.xdr.XdrException} answers GARBAGE_ARGS, {@link RpcStatusException} what it says,
   *     all else SYSTEM_ERR
   */
  Future<XdrEncoder> handle(RpcCall call);

  /**
   * Whose calls it takes, by procedure. Procedure 0 is for everybody, unless the binding lists it.
   *
   * @param procedure one that the binding lists
   * @return who may call it; by default everybody
   */
  default RpcAccess access(int procedure) {
    return RpcAccess.ALL;
  }

  /**
   * The same service, for some callers.
   *
   * @param access who may call any procedure of it; {@link #access} counts besides
   * @return the service to bind
   */
  default RpcService restrictedTo(RpcAccess access) {
    return new RestrictedService(this, Objects.requireNonNull(access, "access"));
  }

  /**
   * The same service, with procedures for some callers.
   *
   * @param rules who may call a procedure, by its name in the binding, which is that of the method; {@link #access}
   *     counts besides, and alone for procedures that are not named
   * @return the service to bind
   * @throws IllegalArgumentException if the binding has no procedure of that name
   */
  default RpcService restrictedTo(Map<String, RpcAccess> rules) {
    return new RestrictedProcedures(this, rules);
  }
}
