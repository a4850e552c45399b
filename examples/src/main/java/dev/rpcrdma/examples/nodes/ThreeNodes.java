// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nodes;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.resolver.ProgramAddress;
import dev.rpcrdma.cluster.ClusterDirectory;
import dev.rpcrdma.cluster.ClusterResolver;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Three processes serve a program and say so in a cluster. A client finds them there by the program's name, and calls
 * them in turn. One of them is killed in the middle: no call fails, and none goes there any more.
 */
public final class ThreeNodes {

  private static final int CALLS = 300;
  private static final List<String> NAMES = List.of("one", "two", "three");

  private ThreeNodes() {}

  /**
   * Runs the example.
   *
   * @param arguments none
   * @throws Exception if it does not work
   */
  public static void main(String[] arguments) throws Exception {
    System.out.println(run());
  }

  /** Plays it; which node has served how many calls before and after one was killed. */
  static String run() throws Exception {
    String cluster = UUID.randomUUID().toString();
    LoopbackMember client = await(LoopbackMember.join(cluster, 0));
    List<Process> nodes = new ArrayList<>();
    try {
      for (String name : NAMES) {
        nodes.add(start(cluster, client.port(), name));
      }
      for (Process node : nodes) {
        awaitServing(node);
      }
      ClusterDirectory directory = ClusterDirectory.open(client.vertx());
      RpcChannel channel = RpcClient.builder(client.vertx()).withAddressResolver(ClusterResolver.of(directory)).build()
          .channel(ProgramAddress.of(Who.class));
      Map<String, Integer> before = calls(channel);
      // Not closed in good order: as a process that has crashed.
      nodes.get(1).destroyForcibly().waitFor(10, TimeUnit.SECONDS);
      return "Before " + before + ", after " + calls(channel);
    } finally {
      nodes.forEach(Process::destroyForcibly);
      await(client.vertx().close());
    }
  }

  private static Map<String, Integer> calls(RpcChannel channel) throws Exception {
    Map<String, Integer> served = new TreeMap<>();
    for (int i = 0; i < CALLS; i++) {
      served.merge(await(channel.proxy(Who.class).serves()), 1, Integer::sum);
    }
    return served;
  }

  private static Process start(String cluster, int port, String name) throws IOException {
    return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
        System.getProperty("java.class.path"), WhoNode.class.getName(), cluster, Integer.toString(port), name)
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void awaitServing(Process node) throws Exception {
    BufferedReader out = new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8));
    // Ends with the process, at the latest.
    CompletableFuture<Boolean> serves = CompletableFuture.supplyAsync(() -> out.lines().findFirst()
        .filter("serving"::equals).isPresent());
    if (!serves.get(90, TimeUnit.SECONDS)) {
      throw new IOException("A node does not serve");
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
