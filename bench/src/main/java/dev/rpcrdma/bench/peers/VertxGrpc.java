// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.peers;

import dev.rpcrdma.bench.measure.Waits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;

/**
 * Vert.x gRPC over HTTP/2 in the clear, all work on one event loop at each end. Messages are buffers as
 * they are, and windows hold eight large messages, so that neither protobuf nor flow control is what
 * is measured.
 */
public final class VertxGrpc implements RpcPeer {

  private static final String HOST = "127.0.0.1";
  private static final ServiceName SERVICE = ServiceName.create("bench", "Bench");
  /** So that flow control does not hold large messages up. */
  private static final int WINDOW = 8 * LARGE;
  private static final int MAX_MESSAGE = 2 * LARGE;

  private static final ServiceMethod<Buffer, Buffer> ECHO = method("Echo");
  private static final ServiceMethod<Buffer, Buffer> PUT = method("Put");
  private static final ServiceMethod<Buffer, Buffer> GET = method("Get");

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final SocketAddress server;
  private final GrpcClient client;
  private final Buffer nothing = Buffer.buffer();
  private final Buffer small = Buffer.buffer(new byte[SMALL]);
  private final Buffer large = Buffer.buffer(new byte[LARGE]);

  /**
   * Connects with the first call.
   *
   * @param port of the server
   */
  public VertxGrpc(int port) {
    server = SocketAddress.inetSocketAddress(port, HOST);
    client = GrpcClient.client(vertx, new GrpcClientOptions().setMaxMessageSize(MAX_MESSAGE),
        new HttpClientOptions().setHttp2ClearTextUpgrade(false)
            .setHttp2ConnectionWindowSize(WINDOW)
            .setInitialSettings(new Http2Settings().setInitialWindowSize(WINDOW)));
  }

  /**
   * Starts a server.
   *
   * @param vertx owns it
   * @return running, on a free port
   */
  public static HttpServer serve(Vertx vertx) {
    Buffer nothing = Buffer.buffer();
    Buffer large = Buffer.buffer(new byte[LARGE]);
    GrpcServer grpc =
        GrpcServer.server(vertx, new GrpcServerOptions().setMaxMessageSize(MAX_MESSAGE));
    grpc.callHandler(ECHO, call -> call.handler(bytes -> call.response().end(bytes)));
    grpc.callHandler(PUT, call -> call.handler(bytes -> call.response().end(nothing)));
    grpc.callHandler(GET, call -> call.handler(bytes -> call.response().end(large)));
    return Waits.await(vertx.createHttpServer(new HttpServerOptions()
            .setHttp2ConnectionWindowSize(WINDOW)
            .setInitialSettings(new Http2Settings().setInitialWindowSize(WINDOW)))
        .requestHandler(grpc).listen(0, HOST));
  }

  /** The same from both sides: what is sent and what is received are of one type. */
  private static ServiceMethod<Buffer, Buffer> method(String name) {
    return ServiceMethod.client(SERVICE, name, GrpcMessageEncoder.IDENTITY,
        GrpcMessageDecoder.IDENTITY);
  }

  @Override
  public Future<?> echo() {
    return call(ECHO, small);
  }

  @Override
  public Future<?> put() {
    return call(PUT, large);
  }

  @Override
  public Future<?> get() {
    return call(GET, nothing);
  }

  private Future<Buffer> call(ServiceMethod<Buffer, Buffer> method, Buffer bytes) {
    return client.request(server, method).compose(request -> request.send(bytes))
        .compose(response -> response.last());
  }

  @Override
  public void close() {
    Waits.await(vertx.close());
  }
}
