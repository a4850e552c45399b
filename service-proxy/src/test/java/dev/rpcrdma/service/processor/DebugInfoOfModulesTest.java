// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services of an application that is a module. */
@Tag("slow")
class DebugInfoOfModulesTest {

  private static final Map<String, String> SOURCES = Map.of(
      "module-info", "module hello { requires dev.rpcrdma.service; exports hello to dev.rpcrdma.api; exports run; }",
      "hello.Greeter", """
          package hello;
          import dev.rpcrdma.service.*;
          import io.vertx.core.Future;
          @RpcProgram(number = 0x20060011, version = 1)
          public interface Greeter {
            @RpcProcedure(1) Future<String> greet(String name);
          }
          """,
      "run.Main", """
          package run;
          import dev.rpcrdma.service.eventbus.*;
          import io.vertx.core.Future;
          import io.vertx.core.Vertx;
          import io.vertx.serviceproxy.ServiceException;
          import java.util.concurrent.TimeUnit;
          public final class Main implements java.util.concurrent.Callable<String> {
            @Override
            public String call() throws Exception {
              Vertx vertx = Vertx.vertx();
              try {
                hello.Greeter greeter = name -> name.isEmpty()
                    ? Future.failedFuture(new IllegalStateException("nobody")) : Future.succeededFuture("Hello " + name);
                await(new RpcServiceBinder(vertx).setAddress("greeter").setIncludeDebugInfo(true)
                    .register(hello.Greeter.class, greeter));
                hello.Greeter proxy = EventBusChannel.create(vertx, "greeter").proxy(hello.Greeter.class);
                return await(proxy.greet("you")) + ", " + await(proxy.greet("").recover(e -> Future.succeededFuture(
                    ((ServiceException) e).getDebugInfo().getString("causeName"))));
              } finally {
                await(vertx.close());
              }
            }
            private static <T> T await(Future<T> future) throws Exception {
              return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
            }
          }
          """);

  /** Returns a new instance of a class of the module, in a layer of its own. */
  private static Object instance(Path module, String name) throws Exception {
    List<Path> paths = new ArrayList<>(List.of(module));
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> !path.endsWith("test-classes")).map(Path::of).forEach(paths::add);
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration().resolve(ModuleFinder.of(paths.toArray(Path[]::new)), ModuleFinder.of(), Set.of("hello"));
    return boot.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader()).findLoader("hello")
        .loadClass(name).getConstructor().newInstance();
  }

  /** Fails if {@code RpcServiceBinder.service} has the interface called by reflection, or asks for its package. */
  @Test
  @DisplayName("Debug info needs no package that is exported to more modules than the manual says")
  void exportedToTheApiAlone(@TempDir Path output) throws Exception {
    Compilation compilation = Compilation.ofModule(output, SOURCES);
    assertThat(compilation.success()).as(compilation.messages()).isTrue();
    Object main = instance(output, "run.Main");
    // Vert.x looks for its extensions there.
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(main.getClass().getClassLoader());
    try {
      assertThat(((Callable<?>) main).call()).isEqualTo("Hello you, java.lang.IllegalStateException");
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }
}
