package hello;

import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;

/** Greets. The numbers are the wire's: they stay when methods are renamed or moved. */
@RpcProgram(number = 0x20001234, version = 1)
public interface Greeter {

  @RpcProcedure(1)
  Future<String> greet(String name);
}
