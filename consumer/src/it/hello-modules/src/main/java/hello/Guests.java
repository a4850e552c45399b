package hello;

import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.codegen.annotations.Nullable;
import io.vertx.core.Future;

/** Compiles only if the module dev.rpcrdma.service brings the one that has {@code @Nullable}. */
@RpcProgram(number = 0x20001235, version = 1)
public interface Guests {

  @RpcProcedure(1)
  Future<Void> welcome(Guest guest);

  /** Someone who may have a title. */
  record Guest(String name, @Nullable String title) {}
}
