// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A service some of whose procedures are for some callers.
 *
 * @param service the service, which may have restrictions of its own
 * @param rules who may call which procedure, by its name in the binding
 */
public record RestrictedProcedures(RpcService service, Map<String, RpcAccess> rules) implements RpcService {

  /** Checks that there are such procedures: a rule for none would let everybody in. */
  public RestrictedProcedures {
    rules = Map.copyOf(rules);
    Set<String> names = service.binding().procedures().values().stream().map(ProcedureBinding::name)
        .collect(Collectors.toSet());
    for (String name : rules.keySet()) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException(service.binding().describe() + " has no procedure " + name + ", but "
            + names.stream().sorted().toList());
      }
    }
  }

  @Override
  public UpperLayerBinding binding() {
    return service.binding();
  }

  @Override
  public Future<XdrEncoder> handle(RpcCall call) {
    return service.handle(call);
  }

  @Override
  public RpcAccess access(int procedure) {
    RpcAccess inner = service.access(procedure);
    RpcAccess rule = binding().procedure(procedure).map(known -> rules.get(known.name())).orElse(null);
    return rule == null ? inner : user -> rule.accepts(user) && inner.accepts(user);
  }
}
