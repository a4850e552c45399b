// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.eventbus;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.service.fixture.ErrandEvents;
import dev.rpcrdma.service.fixture.Errands;
import dev.rpcrdma.testkit.Waiting;
import java.util.List;

/** The contract over the event bus. */
class OverEventBusTest extends TransportContract {

  static final String ADDRESS = "errands";

  @Override
  RpcCaller open() {
    RpcServiceBinder binder = new RpcServiceBinder(vertx).setAddress(ADDRESS).setTimeout(wanted.serviceTimeout);
    wanted.guards.forEach(binder::addInterceptor);
    if (wanted.tokens != null) {
      binder.withTokens(wanted.tokens);
    }
    Waiting.await(binder.register(List.of(binder.service(Errands.class, boy).restrictedTo(wanted.access)), false));
    EventBusChannel made = EventBusChannel.create(vertx, ADDRESS).setToken(wanted.token);
    wanted.calls.forEach(made::addCallInterceptor);
    return made;
  }

  @Override
  void bind(ErrandEvents events) {
    ((EventBusChannel) channel).bind(ErrandEvents.class, events);
  }

  @Override
  RpcCaller nowhere() {
    return EventBusChannel.create(vertx, "nobody's address");
  }
}
