// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.junit5;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import io.vertx.core.Vertx;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

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
 *
 * <p><b>Options</b> are given where the extension is a field:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final RpcTestExtension RPC = new RpcTestExtension(
 *     new RpcServerOptions().setProvider("memory"), new RpcClientOptions().setProvider("memory"));
 * }</pre>
 *
 * <p><b>Beside vertx-junit5</b>, {@code @ExtendWith({VertxExtension.class, RpcTestExtension.class})}, the {@link Vertx}
 * is that of {@code VertxExtension}, which closes it: server and client live in it if it stands before them among
 * the parameters, and in one of their own if it does not.
 */
@SuppressWarnings("exports") // JUnit is optional: only who has it can name this class
public final class RpcTestExtension implements ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(RpcTestExtension.class);
  private static final String VERTX_EXTENSION = "io.vertx.junit5.VertxExtension";
  /** Where that keeps its Vertx, in the store of all extensions. */
  private static final String VERTX_INSTANCE = "Vertx";

  private final RpcServerOptions serverOptions;
  private final RpcClientOptions clientOptions;

  /** Created by JUnit. */
  public RpcTestExtension() {
    this(new RpcServerOptions(), new RpcClientOptions());
  }

  /**
   * Creates an extension with options.
   *
   * @param server of the server; copied
   * @param client of the client; copied
   */
  public RpcTestExtension(RpcServerOptions server, RpcClientOptions client) {
    serverOptions = new RpcServerOptions(server);
    clientOptions = new RpcClientOptions(client);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Vertx.class ? !besideVertxExtension(context)
        : type == RpcServer.class || type == RpcClient.class || type == RpcChannel.class;
  }

  /** Two extensions must not give the same parameter. */
  private static boolean besideVertxExtension(ExtensionContext context) {
    List<Optional<? extends AnnotatedElement>> places = List.of(context.getTestMethod(), context.getTestClass());
    return places.stream().flatMap(Optional::stream)
        .flatMap(place -> AnnotationSupport.findRepeatableAnnotations(place, ExtendWith.class).stream())
        .flatMap(annotation -> Arrays.stream(annotation.value()))
        .anyMatch(extension -> extension.getName().equals(VERTX_EXTENSION));
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestBed bed = context.getStore(NAMESPACE).getOrComputeIfAbsent(TestBed.class,
        key -> TestBed.open(vertxOfOthers(context), serverOptions, clientOptions), TestBed.class);
    Class<?> type = parameter.getParameter().getType();
    if (type == Vertx.class) {
      return bed.vertx();
    }
    if (type == RpcServer.class) {
      return bed.server();
    }
    return type == RpcClient.class ? bed.client() : bed.channel();
  }

  private static Optional<Vertx> vertxOfOthers(ExtensionContext context) {
    return context.getStore(Namespace.GLOBAL).get(VERTX_INSTANCE) instanceof Supplier<?> kept
        && kept.get() instanceof Vertx vertx ? Optional.of(vertx) : Optional.empty();
  }
}
