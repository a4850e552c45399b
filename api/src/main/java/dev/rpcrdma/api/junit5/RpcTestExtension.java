package dev.rpcrdma.api.junit5;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test method a server that listens on loopback, a client, and a channel from one to the
 * other, as parameters of type {@link RpcServer}, {@link RpcClient} and {@link RpcChannel}, and the
 * {@link Vertx} they live in. They are closed when the test is over; what does not close within ten
 * seconds fails the test.
 *
 * <pre>{@code
 * @ExtendWith(RpcTestExtension.class)
 * class BlobStoreTest {
 *   @Test
 *   void lists(RpcServer server, RpcChannel channel) {
 *     server.bind(BlobStore.class, new BlobStoreImpl());
 *     channel.proxy(BlobStore.class).list("")…
 *   }
 * }
 * }</pre>
 *
 * <p>The channel connects with its first call, so services bound before that are served.
 */
@SuppressWarnings("exports") // JUnit is optional: only who has it can name this class
public final class RpcTestExtension implements ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(RpcTestExtension.class);

  /** Created by JUnit. */
  public RpcTestExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Vertx.class || type == RpcServer.class || type == RpcClient.class
        || type == RpcChannel.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestBed bed = context.getStore(NAMESPACE).getOrComputeIfAbsent(TestBed.class,
        key -> TestBed.open(), TestBed.class);
    Class<?> type = parameter.getParameter().getType();
    if (type == Vertx.class) {
      return bed.vertx();
    }
    if (type == RpcServer.class) {
      return bed.server();
    }
    return type == RpcClient.class ? bed.client() : bed.channel();
  }
}
