// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.fixture.CallLoops;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.resolver.ProgramAddress;
import io.vertx.core.Vertx;
import io.vertx.core.net.endpoint.LoadBalancer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** A client on a node of a cluster, which calls the ledgers that are known there. */
final class LedgerCaller {

  static final ProgramAddress LEDGER =
      ProgramAddress.of(LedgerService.BINDING.program(), LedgerService.BINDING.version());

  final ClusterDirectory directory;
  private final RpcChannel channel;
  private final AtomicLong numbers = new AtomicLong(1);

  LedgerCaller(Vertx vertx) {
    directory = ClusterDirectory.open(vertx, DirectoryOptions.DEFAULT.withRefresh(Duration.ofMillis(500)));
    channel = RpcClient.builder(vertx).with(new RpcClientOptions().setProvider("siw").setReconnectAttempts(1)
        .setReconnectDelay(Duration.ofMillis(1))).withAddressResolver(ClusterResolver.of(directory))
        .withLoadBalancer(LoadBalancer.ROUND_ROBIN).build().channel(LEDGER);
  }

  CallLoops load(LongFunction<RpcRequest<?>> request) {
    return new CallLoops(4, () -> channel.call(request.apply(numbers.getAndAdd(2))));
  }

  /** The instances that take calls. */
  List<String> listed() {
    return directory.servers().stream().filter(server -> !server.draining()).map(ClusterServer::instance).toList();
  }
}
