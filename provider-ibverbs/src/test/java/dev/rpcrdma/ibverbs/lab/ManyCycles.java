// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.RecordingHandler;
import dev.rpcrdma.testkit.RecordingHandler.Disconnected;
import dev.rpcrdma.testkit.RecordingHandler.Exposed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.testkit.lab.KernelResources;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.WorkCompletion.Status;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.io.File;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that come, transfer and go on one device, one in ten of them badly. Run in the lab's VM. */
@DisplayName("Many connections")
class ManyCycles {

  /** How many, for each device. */
  static final String CYCLES = "rpcrdma.lab.cycles";
  /** Of a line with figures. */
  static final String FIGURES = "cycles on ";

  private static final int DESCRIPTORS_MORE = 3;
  private static final long BYTES_MORE = 1 << 20;
  private static final int MESSAGE = 64;
  private static final int READ = 4096;
  private static final int ONE_IN = 10;

  private final BlockingQueue<End> accepted = new LinkedBlockingQueue<>();

  /** What the process and the device have. */
  private record Held(int descriptors, String kernel, long directBytes, List<String> pinned) {

    static Held now(KernelDevice device) {
      System.gc();
      try {
        return new Held(new File("/proc/self/fd").list().length, KernelResources.counts(device),
            ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed).sum(),
            Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmLck") || line.startsWith("VmPin"))
                .map(line -> line.replaceAll("\\s+", " ")).toList());
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    boolean noMoreThan(Held before) {
      return descriptors <= before.descriptors + DESCRIPTORS_MORE && kernel.equals(before.kernel)
          && directBytes <= before.directBytes + BYTES_MORE && pinned.equals(before.pinned);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("After many connections there is no more than after the first fifth")
  void comeAndGo(KernelDevice device) {
    int cycles = Integer.getInteger(CYCLES);
    try (VerbsBed bed = DeviceBed.open(device)) {
      ProtectionDomain domain = bed.device().allocateProtectionDomain();
      LocalMemory inbox = register(domain, MESSAGE);
      LocalMemory outbox = register(domain, MESSAGE);
      LocalMemory source = register(domain, READ);
      LocalMemory sink = register(domain, READ);
      SocketAddress good = bed.listen(request -> request.accept(bed.context(), domain, ConnectionOptions.DEFAULT,
          pair -> {
            pair.postReceive(1, inbox, 0, MESSAGE);
            End end = new End(pair, new RecordingHandler());
            accepted.add(end);
            return end.handler;
          })).localAddress();
      SocketAddress rejecting = bed.listen(request -> request.reject(Buffer.buffer())).localAddress();
      SocketAddress refusing = SocketAddress.inetSocketAddress(1, device.address());
      Held early = null;
      long start = System.nanoTime();
      for (int i = 1; i <= cycles; i++) {
        RecordingHandler handler = new RecordingHandler();
        SocketAddress to = i % ONE_IN != 0 ? good : i / ONE_IN % 2 == 0 ? rejecting : refusing;
        Future<QueuePair> connecting = bed.device().connect(bed.context(), to, domain, ConnectionOptions.DEFAULT,
            pair -> handler);
        if (to == good) {
          transfer(new End(Waiting.await(connecting), handler), outbox, source, sink);
        } else {
          Waiting.awaitFailure(connecting);
        }
        if (i == cycles / 5) {
          early = settled(device);
        }
      }
      long millis = (System.nanoTime() - start) / 1_000_000;
      Held before = early;
      try {
        Waiting.until(() -> Held.now(device).noMoreThan(before));
      } catch (AssertionError e) {
        throw new AssertionError(before + " has become " + Held.now(device), e);
      }
      System.out.println(FIGURES + device + ": " + cycles + " in " + millis + " ms, " + before + ", then "
          + Held.now(device));
      List.of(inbox, outbox, source, sink).forEach(memory -> Waiting.await(memory.deregister()));
      Waiting.await(domain.close());
    }
  }

  /** Without queue pairs but the kernel's own, and without identifiers but the listeners'. */
  private static Held settled(KernelDevice device) {
    int own = device == KernelDevice.RXE ? 1 : 0;
    Waiting.until(() -> KernelResources.counts(device).contains(" qp " + own + " cm_id 2 "));
    return Held.now(device);
  }

  private static LocalMemory register(ProtectionDomain domain, int length) {
    return Waiting.await(domain.register(ByteBuffer.allocateDirect(length), LocalMemory.Backing.MEMORY));
  }

  private void transfer(End client, LocalMemory outbox, LocalMemory source, LocalMemory sink) {
    End server = Waiting.next(accepted);
    client.post(pair -> pair.postSend(2, outbox, 0, MESSAGE));
    server.expect(Opcode.RECEIVE);
    server.post(pair -> pair.expose(3, source, 0, READ, Access.REMOTE_READ));
    Exposure exposure = server.handler.next(Exposed.class).exposure();
    client.post(pair -> pair.postRead(4, sink, 0, READ, exposure.steeringTag(), exposure.remoteOffset()));
    client.expect(Opcode.READ);
    Waiting.await(client.pair.close());
    client.handler.next(Disconnected.class);
    server.handler.next(Disconnected.class);
  }

  /** One end of a connection. */
  private record End(QueuePair pair, RecordingHandler handler) {

    void post(Consumer<QueuePair> posts) {
      pair.context().runOnContext(owned -> {
        posts.accept(pair);
        pair.flush();
      });
    }

    void expect(Opcode opcode) {
      assertThat(handler.completion(opcode).status()).isEqualTo(Status.SUCCESS);
    }
  }
}
