// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.examples.nfs3.tree.TreeOptions;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.tools.command.NfsSecurity;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A peer that takes no answers costs what the limits say and no more. */
class MountConnectionTest {

  @TempDir
  private Path export;
  private final Vertx vertx = Vertx.vertx();
  private final WorkerExecutor workers = vertx.createSharedWorkerExecutor("mounts", 1);
  private final Socket socket = new Socket();
  private final Context loop = vertx.getOrCreateContext();
  private int xid;
  private int timers;

  /** A socket whose peer may not be reading. */
  private static final class Socket {

    private Handler<Buffer> arrivals;
    private Handler<Void> drained;
    private int room;
    private int written;
    private final Promise<Void> closed = Promise.promise();

    NetSocket asSocket() {
      return (NetSocket) Proxy.newProxyInstance(Socket.class.getClassLoader(),
          new Class<?>[] {NetSocket.class}, (proxy, method, arguments) -> called(method, arguments));
    }

    @SuppressWarnings("unchecked") // What Vert.x declares.
    private Object called(Method method, Object... arguments) {
      switch (method.getName()) {
        case "handler" -> arrivals = (Handler<Buffer>) arguments[0];
        case "drainHandler" -> drained = (Handler<Void>) arguments[0];
        case "setWriteQueueMaxSize" -> room = (int) arguments[0];
        case "write" -> written += ((Buffer) arguments[0]).length();
        case "close" -> closed.tryComplete();
        case "writeQueueFull" -> {
          return written >= room;
        }
        case "remoteAddress" -> {
          return SocketAddress.inetSocketAddress(1, "192.0.2.1");
        }
        default -> {
          return null;
        }
      }
      return null;
    }
  }

  @BeforeEach
  void serve() throws IOException {
    MountProgram program = new MountProgram(FileTree.of(export, TreeOptions.DEFAULT), Set.of(NfsSecurity.SYS));
    onLoop(() -> new MountConnection(counting(), socket.asSocket(), workers, program,
        Duration.ofSeconds(30)).serve());
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  /** Counts the timers that are set, none of which ever fires. */
  private Vertx counting() {
    return (Vertx) Proxy.newProxyInstance(Socket.class.getClassLoader(), new Class<?>[] {Vertx.class},
        (proxy, method, arguments) -> {
          timers += method.getName().equals("setTimer") ? 1 : 0;
          return method.getReturnType() == boolean.class ? true : (long) timers;
        });
  }

  private void onLoop(Runnable action) {
    Promise<Void> done = Promise.promise();
    loop.runOnContext(now -> {
      action.run();
      done.complete();
    });
    Waiting.await(done.future());
  }

  private void call(int procedure) {
    XdrWriter writer = new XdrWriter();
    new CallHeader(++xid, MountProgram.PROGRAM, MountProgram.VERSION, procedure, OpaqueAuth.NONE)
        .encode(writer);
    onLoop(() -> socket.arrivals.handle(Buffer.buffer(RecordMark.framed(writer.toByteArray()))));
    // What it started on the one worker is done behind it.
    Waiting.await(workers.executeBlocking(() -> 0, false));
    onLoop(() -> { });
  }

  @Test
  void answersWaitForThePeerAndForNoMoreThanSoLong() {
    onLoop(() -> socket.written = MountConnection.MAX_WAITING_BYTES);
    for (int i = 0; i < MountConnection.MAX_CALLS; i++) {
      call(2);
    }
    assertThat(socket.written).as("nothing was written on top")
        .isEqualTo(MountConnection.MAX_WAITING_BYTES);
    assertThat(socket.closed.future().isComplete()).isFalse();
    call(2);
    assertThat(socket.closed.future().isComplete()).as("one too many").isTrue();
  }

  @Test
  void answersFollowWhenThereIsRoom() {
    onLoop(() -> socket.written = MountConnection.MAX_WAITING_BYTES);
    call(0);
    call(5);
    onLoop(() -> {
      socket.written = 0;
      socket.drained.handle(null);
    });
    assertThat(socket.written).isEqualTo(28 + 28 + 20);
  }

  @Test
  void callsDoNotProlongTheLifeOfAPeerThatTakesNoAnswers() {
    call(0);
    assertThat(timers).as("one to begin with, one for the call").isEqualTo(2);
    onLoop(() -> socket.written = MountConnection.MAX_WAITING_BYTES);
    call(0);
    call(0);
    assertThat(timers).as("another for the first whose answer waits, none for the second").isEqualTo(3);
    assertThat(socket.closed.future().isComplete()).isFalse();
  }
}
