// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.overload;

import dev.rpcrdma.bench.measure.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import java.util.concurrent.TimeUnit;

/** Vert.x gRPC, whose handler has worker threads do the work; both ends know the deadlines of calls. */
final class SlowGrpc {

  private static final ServiceMethod<Buffer, Buffer> WORK = ServiceMethod.client(ServiceName.create("bench", "Slow"),
      "Work", GrpcMessageEncoder.IDENTITY, GrpcMessageDecoder.IDENTITY);

  private SlowGrpc() {}

  static int serve() {
    Vertx vertx = Vertx.vertx(new VertxOptions().setWorkerPoolSize(Work.THREADS));
    GrpcServer grpc = GrpcServer.server(vertx,
        new GrpcServerOptions().setScheduleDeadlineAutomatically(true).setDeadlinePropagation(true));
    grpc.callHandler(WORK, call -> call.handler(bytes ->
        vertx.executeBlocking(() -> Work.done(bytes), false).onSuccess(done -> call.response().end(done))));
    return Waits.await(vertx.createHttpServer().requestHandler(grpc).listen(0, "127.0.0.1")).actualPort();
  }

  static SlowPeer connect(int port) {
    Vertx vertx = Vertx.vertx();
    SocketAddress server = SocketAddress.inetSocketAddress(port, "127.0.0.1");
    Buffer small = Buffer.buffer(new byte[128]);
    GrpcClient client = GrpcClient.client(vertx, new GrpcClientOptions().setScheduleDeadlineAutomatically(true),
        new HttpClientOptions().setHttp2ClearTextUpgrade(false));
    return new SlowPeer(() -> client.request(server, WORK)
        .compose(request -> request.timeout(Work.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).send(small))
        .compose(response -> response.last()), () -> Waits.await(vertx.close()));
  }
}
