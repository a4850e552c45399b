// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import dev.rpcrdma.cluster.replicated.ReplicatedReplies;
import dev.rpcrdma.cluster.replicated.ReplicatedRepliesOptions;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.cluster.LoopbackHazelcast;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.shareddata.AsyncMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A process that serves. */
final class TallyServer {

  private TallyServer() {}

  /**
   * Serves until it is told to leave, is killed, or its input ends.
   *
   * @param arguments the cluster, members with commas between, and where to write down what is executed
   */
  public static void main(String[] arguments) throws Exception {
    Commands.dieOfExceptions();
    List<String> others = Stream.of(arguments[1].split(",")).filter(other -> !other.isEmpty()).toList();
    TallyMember member = TallyMember.join(arguments[0], others, false);
    Steps steps = new Steps(member.vertx(), step -> Commands.say("reached " + step));
    AsyncMap<String, Buffer> map = Waiting.await(
        member.vertx().sharedData().getClusterWideMap(ReplicatedRepliesOptions.DEFAULT_MAP_NAME));
    ReplicatedReplies replies = ReplicatedReplies.create(steps.around(map), new ReplicatedRepliesOptions());
    TallyService service = new TallyService(steps, new Journal(Path.of(arguments[2])));
    RpcServer server = RpcServer.create(member.vertx()).bind(replies.around(Tally.class, service));
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    Waiting.await(ClusterAdvertisement.publish(member.vertx(), server,
        AdvertisementOptions.DEFAULT.withTtl(Duration.ofSeconds(3))));
    Commands.say("serving " + LoopbackHazelcast.member(member.manager()));
    Commands.follow(Map.of(
        "arm", step -> steps.arm(Step.valueOf(step)),
        "go", any -> steps.go(),
        "calm", any -> Commands.say("it is " + (member.isCalm() ? "calm" : "restless")),
        "leave", any -> server.shutdown(Duration.ofSeconds(20)).onComplete(done -> member.vertx().close()
            .onComplete(closed -> Commands.say(done.succeeded() ? "left" : "left by " + done.cause())))));
  }
}
