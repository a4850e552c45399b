package dev.rpcrdma.api;

import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;

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
   * @return writes the results, on the connection's event loop, or on the service's own context if they go over the
   *     event bus. Data items that it writes are
   *     released when the reply has gone. If the future fails, or this method throws:
   *     {@link dev.rpcrdma.protocol.xdr.XdrException} answers GARBAGE_ARGS,
   *     {@link RpcStatusException} what it says, all else SYSTEM_ERR
   */
  Future<XdrEncoder> handle(RpcCall call);
}
