// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.Future;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;

/** Serves calls whose arguments are any bytes. */
record RawCalls(UpperLayerBinding binding, RpcService service) {

  /** Calls of an implementation. */
  static <S> RawCalls to(ServiceBinding<S> binding, S implementation) {
    return new RawCalls(binding.upperLayerBinding(), binding.service(implementation));
  }

  /** Serves a call and encodes its results, like a transport. */
  void serve(int procedure, byte[] arguments) throws Throwable {
    Future<XdrEncoder> reply = service.handle(new StubCall(binding, procedure,
        new XdrReader(ByteBuffer.wrap(arguments))));
    if (reply.failed()) {
      throw reply.cause();
    }
    reply.result().encode(new XdrWriter());
  }

  /** How many bytes were allocated until the arguments were refused; 0 if they were not. */
  long allocatedByRefusal(int procedure, byte[] arguments) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try {
      serve(procedure, arguments);
    } catch (XdrException e) {
      return threads.getCurrentThreadAllocatedBytes() - before;
    } catch (Throwable e) {
      fail("another failure", e);
    }
    return 0;
  }
}
