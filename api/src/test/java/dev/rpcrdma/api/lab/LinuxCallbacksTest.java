// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.fixture.Nfs3;
import dev.rpcrdma.api.lab.nfs41.CallbackService;
import dev.rpcrdma.api.lab.nfs41.Opened;
import dev.rpcrdma.api.lab.nfs41.Recall;
import dev.rpcrdma.api.lab.nfs41.Session;
import dev.rpcrdma.api.lab.nfs41.StateId;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.LabCommand;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SiwVariant;
import dev.rpcrdma.testkit.lab.Tshark;
import dev.rpcrdma.testkit.lab.WithLab;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A Linux kernel calls our client over the client's own connection: its NFS server recalls
 * delegations (RFC 8881 §10.4), of which the client hears in no other way.
 */
@WithLab
@DisplayName("Linux's NFS server calls back")
final class LinuxCallbacksTest {

  private static final int PORT = 20049;
  private static final int READ_BYTES = 256 * 1024;

  private final CallbackService callbacks = new CallbackService();
  @TempDir
  private Path directory;
  private Path capture;
  private Vertx vertx;
  private RpcClient client;
  private RpcChannel channel;

  @BeforeEach
  void connect(LabVm vm) {
    vm.siw(SiwVariant.PLAIN);
    vm.nfsServer();
    vertx = Vertx.vertx();
    capture = directory.resolve("callbacks.pcapng");
    client = RpcClient.builder(vertx).with(new RpcClientOptions().setProvider("siw")
        .setCapture(capture.toString())).build();
    channel = client.channel(SocketAddress.inetSocketAddress(vm.forward(PORT), "127.0.0.1"));
  }

  @AfterEach
  void close() {
    Waiting.await(client.close());
    Waiting.await(vertx.close());
    Tshark.judge(capture);
  }

  @ParameterizedTest(name = "announced by our own program as well: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("R-220 R-223 R-226 R-228 R-237 R-239 R-242: recalls a delegation when it was told"
      + " where to call, as whom it was told, and waits for its return")
  void recall(boolean announced, LabVm vm) throws InterruptedException {
    String name = "recalled-" + announced;
    vm.exec("echo before >/export/" + name).expectSuccess();
    if (announced) {
      // Linux has no such program, and says so; that is the end of it.
      channel.bind(callbacks);
    }
    RpcConnection connection = Waiting.await(channel.connect());
    if (!announced) {
      connection.bind(callbacks);
    }
    OpaqueAuth backwards = new AuthSys(7, "backwards", 1234, 5678, List.of()).toAuth();
    Session session = Session.create(connection, name, backwards);
    assertThat(session.hasBackchannel()).isTrue();
    Opened opened = session.openDelegated(name);
    assertThat(callbacks.recalls()).isEmpty();

    LabCommand write = vm.start("echo after >>/export/" + name);
    Recall recall = nextRecall();
    assertThat(recall.session()).isEqualTo(session.id());
    assertThat(recall.sequence()).isEqualTo(1);
    assertThat(recall.handle()).isEqualTo(session.handle(name));
    assertThat(recall.delegation().other()).isEqualTo(opened.delegation().get().other());
    AuthSys caller = AuthSys.from(recall.credentials());
    assertThat(caller.uid()).isEqualTo(1234);
    assertThat(caller.gid()).isEqualTo(5678);
    assertThat(vm.exec("cat /export/" + name).output()).isEqualTo("before\n");

    session.returnDelegation(name, opened.delegation().get());
    write.await().expectSuccess();
    assertThat(vm.exec("cat /export/" + name).output()).isEqualTo("before\nafter\n");
    assertThat(callbacks.recalls()).isEmpty();
    session.close(name, opened.file());
    session.destroy();
    assertThat(Waiting.await(connection.snapshot()).calls().served()).isEqualTo(1);
    assertThat(connection.closeFuture().isComplete()).isFalse();
  }

  @Test
  @DisplayName("R-033 R-236: recalls ten delegations while much is read over the same connection")
  void recallsAmongReads(LabVm vm) throws InterruptedException {
    int files = 10;
    vm.exec("head -c 256K /dev/zero >/export/read-on; touch /export/one-of-{1.." + files + "}")
        .expectSuccess();
    RpcConnection connection = Waiting.await(channel.connect());
    connection.bind(callbacks);
    Session session = Session.create(connection, "among reads", OpaqueAuth.NONE);
    Map<String, String> names = new HashMap<>();
    Map<String, Opened> opened = new HashMap<>();
    for (int i = 1; i <= files; i++) {
      String name = "one-of-" + i;
      opened.put(name, session.openDelegated(name));
      names.put(opened.get(name).delegation().map(StateId::other).orElseThrow(), name);
    }
    Reading reading = new Reading(connection,
        Waiting.await(connection.call(Nfs3.lookUp("read-on"))));
    LabCommand writes = vm.start("for i in {1.." + files
        + "}; do echo x >>/export/one-of-$i & done; wait");
    List<Integer> sequences = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      Recall recall = nextRecall();
      sequences.add(recall.sequence());
      String name = names.remove(recall.delegation().other());
      assertThat(name).isNotNull();
      session.returnDelegation(name, opened.get(name).delegation().orElseThrow());
    }
    writes.await().expectSuccess();
    assertThat(reading.end()).isPositive();
    assertThat(sequences).isEqualTo(IntStream.rangeClosed(1, files).boxed().toList());
    assertThat(vm.exec("cat /export/one-of-* | wc -l").output()).isEqualTo(files + "\n");
    opened.forEach((name, file) -> session.close(name, file.file()));
    session.destroy();
    assertThat(Waiting.await(connection.snapshot()).calls().served()).isEqualTo(files);
  }

  @Test
  @DisplayName("R-223 R-225 R-242: a connection is lost; it calls over the next when it is told of that")
  void nextConnection(LabVm vm) throws InterruptedException {
    vm.exec("touch /export/moved").expectSuccess();
    RpcConnection first = Waiting.await(channel.connect());
    first.bind(callbacks);
    Session session = Session.create(first, "moving", OpaqueAuth.NONE);
    Opened opened = session.openDelegated("moved");
    Waiting.await(first.close());

    RpcConnection second = Waiting.await(channel.connect());
    assertThat(second).isNotSameAs(first);
    second.bind(callbacks);
    assertThat(session.moveTo(second)).isTrue();
    LabCommand write = vm.start("echo x >>/export/moved");
    Recall recall = nextRecall();
    assertThat(recall.session()).isEqualTo(session.id());
    session.returnDelegation("moved", opened.delegation().orElseThrow());
    write.await().expectSuccess();
    session.close("moved", opened.file());
    session.destroy();
    assertThat(Waiting.await(second.snapshot()).calls().served()).isEqualTo(1);
  }

  private Recall nextRecall() throws InterruptedException {
    Recall recall = callbacks.recalls().poll(Waiting.DEADLINE.toSeconds(), TimeUnit.SECONDS);
    assertThat(recall).isNotNull();
    return recall;
  }

  /** Two reads at a time, each followed by another, until it is ended. */
  private static final class Reading {

    private final RpcConnection connection;
    private final byte[] file;
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicInteger done = new AtomicInteger();
    private final List<Future<Void>> readers;

    Reading(RpcConnection connection, byte[] file) {
      this.connection = connection;
      this.file = file;
      readers = IntStream.range(0, 2).mapToObj(i -> read()).toList();
    }

    private Future<Void> read() {
      return connection.call(Nfs3.read(file, READ_BYTES)).compose(bytes -> {
        assertThat(bytes).hasSize(READ_BYTES);
        done.incrementAndGet();
        return ending.get() ? Future.succeededFuture() : read();
      });
    }

    /** Waits for the last reads; tells how many there were. */
    int end() {
      ending.set(true);
      readers.forEach(Waiting::await);
      return done.get();
    }
  }
}
