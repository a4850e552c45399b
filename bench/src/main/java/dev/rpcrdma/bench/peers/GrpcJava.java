// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.peers;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.ChannelFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** grpc-java over HTTP/2 in the clear, on Netty's NIO, all work on its event loop. */
public final class GrpcJava implements RpcPeer {

  private static final String HOST = "127.0.0.1";
  private static final String SERVICE = "bench.Bench";
  /** So that flow control does not hold large messages up. */
  private static final int WINDOW = 8 * LARGE;
  private static final int MAX_MESSAGE = 2 * LARGE;

  private static final MethodDescriptor<byte[], byte[]> ECHO = method("Echo");
  private static final MethodDescriptor<byte[], byte[]> PUT = method("Put");
  private static final MethodDescriptor<byte[], byte[]> GET = method("Get");

  private final MultiThreadIoEventLoopGroup loop = loop();
  private final ManagedChannel channel;
  private final byte[] nothing = {};
  private final byte[] small = new byte[SMALL];
  private final byte[] large = new byte[LARGE];

  /**
   * Connects with the first call.
   *
   * @param port of the server
   */
  public GrpcJava(int port) {
    channel = NettyChannelBuilder.forAddress(new InetSocketAddress(HOST, port)).usePlaintext()
        .eventLoopGroup(loop).channelType(NioSocketChannel.class).directExecutor()
        .flowControlWindow(WINDOW).maxInboundMessageSize(MAX_MESSAGE).build();
  }

  /**
   * Starts a server.
   *
   * @return running, on a free port
   * @throws IOException if it cannot listen
   */
  public static Server serve() throws IOException {
    byte[] nothing = {};
    byte[] large = new byte[LARGE];
    MultiThreadIoEventLoopGroup loop = loop();
    return NettyServerBuilder.forAddress(new InetSocketAddress(HOST, 0)).directExecutor()
        .bossEventLoopGroup(loop).workerEventLoopGroup(loop)
        .channelFactory((ChannelFactory<? extends ServerChannel>) NioServerSocketChannel::new)
        .flowControlWindow(WINDOW).maxInboundMessageSize(MAX_MESSAGE)
        .addService(ServerServiceDefinition.builder(SERVICE)
            .addMethod(ECHO, ServerCalls.asyncUnaryCall((bytes, answer) -> answer(answer, bytes)))
            .addMethod(PUT, ServerCalls.asyncUnaryCall((bytes, answer) -> answer(answer, nothing)))
            .addMethod(GET, ServerCalls.asyncUnaryCall((bytes, answer) -> answer(answer, large)))
            .build())
        .build().start();
  }

  private static void answer(StreamObserver<byte[]> observer, byte[] bytes) {
    observer.onNext(bytes);
    observer.onCompleted();
  }

  private static MultiThreadIoEventLoopGroup loop() {
    return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(new Bytes()).setResponseMarshaller(new Bytes()).build();
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

  private Future<byte[]> call(MethodDescriptor<byte[], byte[]> method, byte[] bytes) {
    Promise<byte[]> promise = Promise.promise();
    ClientCalls.asyncUnaryCall(channel.newCall(method, CallOptions.DEFAULT), bytes,
        new StreamObserver<>() {
          private byte[] answer;

          @Override
          public void onNext(byte[] value) {
            answer = value;
          }

          @Override
          public void onError(Throwable cause) {
            promise.fail(cause);
          }

          @Override
          public void onCompleted() {
            promise.complete(answer);
          }
        });
    return promise.future();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    loop.shutdownGracefully(0, 5, TimeUnit.SECONDS);
  }

  /** Bytes as they are. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] bytes) {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
