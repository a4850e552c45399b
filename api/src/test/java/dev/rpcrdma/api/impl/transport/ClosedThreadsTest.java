// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.api.spi.IncomingCall;
import dev.rpcrdma.api.spi.ServiceHost;
import dev.rpcrdma.api.spi.TransportOptions;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.tracing.TracingPolicy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Services of transports whose threads are closed. */
class ClosedThreadsTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding("Gone", 0x20060096, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("any", 0, 0, ReplyBound.of(0))));

  /** Call that says how it was answered. */
  private static final class Recorded implements IncomingCall {

    private final Promise<ReplyHeader> rejected = Promise.promise();

    @Override
    public CallHeader header() {
      return new CallHeader(7, BINDING.program(), BINDING.version(), 1, OpaqueAuth.NONE);
    }

    @Override
    public Metadata metadata() {
      return Metadata.NONE;
    }

    @Override
    public Map<String, String> headers() {
      return Map.of();
    }

    @Override
    public long nanosLeft() {
      return Long.MAX_VALUE;
    }

    @Override
    public String caller() {
      return "a test";
    }

    @Override
    public RpcCaller peer() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Optional<RpcUser>> user() {
      return Future.succeededFuture(Optional.empty());
    }

    @Override
    public Future<XdrReader> arguments() {
      return Future.succeededFuture(new XdrReader(ByteBuffer.allocate(0)));
    }

    @Override
    public void done() {}

    @Override
    public Future<Void> reply(PayloadStream results) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void reject(ReplyHeader header) {
      rejected.complete(header);
    }

    @Override
    public void tooMany(int maxCalls) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Service implements RpcService {

    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      return Future.succeededFuture(XdrEncoder.VOID);
    }
  }

  private static boolean isClosed(Context worker) {
    try {
      worker.runOnContext(nothing -> { });
      return false;
    } catch (RejectedExecutionException e) {
      return true;
    }
  }

  /** Fails if {@code HostedCall.begin} lets out that the service's threads are closed. */
  @Test
  @DisplayName("A call of a service whose worker pool is closed is answered at once, and counts no longer")
  void answered() {
    Vertx vertx = Vertx.vertx();
    Promise<ServiceHost> made = Promise.promise();
    Promise<Context> workers = Promise.promise();
    String deployment = Waiting.await(vertx.deployVerticle(new VerticleBase() {
      @Override
      public Future<?> start() {
        workers.complete(context);
        made.complete(ServiceHost.create(vertx, List.of(new Service()), List.of(), new TransportOptions(
            Duration.ofMinutes(5), OpaqueAuth.NONE, TracingPolicy.PROPAGATE, 10)));
        return Future.succeededFuture();
      }
    }, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName("closed host")));
    Waiting.await(vertx.undeploy(deployment));
    Context worker = Waiting.await(workers.future());
    Waiting.until(() -> isClosed(worker));
    ServiceHost host = Waiting.await(made.future());
    Recorded call = new Recorded();
    host.context().runOnContext(loop -> host.serve(call));
    assertThat(Waiting.await(call.rejected.future())).isInstanceOfSatisfying(ReplyHeader.Accepted.class,
        e -> assertThat(e.status()).isEqualTo(AcceptStatus.SYSTEM_ERR));
    Waiting.await(host.idle());
    Waiting.await(vertx.close());
  }
}
