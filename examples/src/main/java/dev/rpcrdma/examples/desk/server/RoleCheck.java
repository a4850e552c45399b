// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.server;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import java.util.Map;

/**
 * Lets traders do everything, auditors call what is declared to look only, and others nothing.
 *
 * @param roles by the names of users
 */
public record RoleCheck(Map<String, Role> roles) implements ServiceInterceptor {

  /** Takes a copy. */
  public RoleCheck {
    roles = Map.copyOf(roles);
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call, RpcService next) {
    String name = call.user().map(RpcUser::name).orElse("");
    Role role = roles.get(name);
    boolean looks = next.binding().procedure(call.procedure()).map(ProcedureBinding::readOnly).orElse(false);
    return role == Role.TRADER || role == Role.AUDITOR && looks ? next.handle(call)
        : Future.failedFuture(new RpcStatusException(AuthStatus.TOOWEAK,
            "Not for '" + name + "', whose role is " + role));
  }
}
