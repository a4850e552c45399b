// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.examples.nfs3.tree.Caller;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import io.vertx.core.Future;
import java.util.concurrent.Callable;

/** One procedure of the program. */
interface NfsProcedure {

  /**
   * Serves a call.
   *
   * @param call read at once
   * @param caller whose it is
   * @return the results
   */
  Future<XdrEncoder> serve(RpcCall call, Caller caller);

  /** What is left to do when the arguments are read. */
  interface Work {

    /** On a worker thread. */
    XdrEncoder run(Caller caller);
  }

  /** A procedure whose arguments and results are all in the message. */
  interface Plain {

    /** On the event loop. */
    Work read(XdrReader arguments);
  }

  /** Runs what may block. */
  interface Workers {

    /** Completes on the context that this was called on. */
    <T> Future<T> run(Callable<T> blocking);
  }

  /** Makes a procedure of its two halves. */
  static NfsProcedure of(Workers workers, Plain plain) {
    return (call, caller) -> {
      Work work = plain.read(call.arguments());
      call.arguments().end();
      return workers.run(() -> work.run(caller));
    };
  }
}
