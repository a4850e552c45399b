// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.FakeFabric.Role;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.testkit.RecordingHandler;
import dev.rpcrdma.testkit.RecordingHandler.Disconnected;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.ConnectionRequest;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that come and go on one device, most of them badly. */
@NeedsRdmaHeaders
class ManyConnectionsTest {

  private static final int CYCLES = 900;
  /** Behind which all threads, loops and buffers that are kept are there. */
  private static final int WARM_CYCLES = 100;
  private static final int MOST_DESCRIPTORS_MORE = 3;
  private static final long MOST_BYTES_MORE = 2 << 20;
  private static final Duration SOON = Duration.ofMillis(5);

  private final Queue<ConnectionRequest> unanswered = new ConcurrentLinkedQueue<>();
  private SocketAddress good;
  private SocketAddress bad;
  private SocketAddress slow;

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  /** How a connection goes. */
  private enum Course { WELL, REJECTED, REFUSED, TIMED_OUT, CUT, REMOVED, NO_QUEUE_PAIR, WRONG_EVENT }

  private static int descriptors() {
    return new File("/proc/self/fd").list().length;
  }

  private static long directBytes() {
    System.gc();
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
  }

  /**
   * Fails if one of the ways to end leaves an object, a descriptor or memory: {@code CmId.destroy}, for example; or if
   * {@code Request} keeps what it has become for as long as it might have waited for an answer.
   */
  @ParameterizedTest
  @EnumSource
  @DisplayName("B-006, B-045, B-126: after a thousand connections that end in eight ways, nothing more is there")
  void comeAndGo(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = new VerbsBed(fabric.provider(), DeviceOptions.DEFAULT.withSettings(new JsonObject()
        .put("startupTimeoutMillis", Waiting.DEADLINE.multipliedBy(4).toMillis())))) {
      ProtectionDomain domain = bed.device().allocateProtectionDomain();
      LocalMemory memory = Waiting.await(domain.register(ByteBuffer.allocateDirect(64), LocalMemory.Backing.MEMORY));
      good = bed.listen(request -> request.accept(bed.context(), domain, ConnectionOptions.DEFAULT, pair -> {
        pair.postReceive(1, memory, 0, 64);
        return new RecordingHandler();
      })).localAddress();
      bad = bed.listen(request -> request.reject(Buffer.buffer())).localAddress();
      slow = bed.listen(unanswered::add).localAddress();
      cycles(bed, domain, memory, WARM_CYCLES);
      settle();
      int descriptors = descriptors();
      long bytes = directBytes();
      cycles(bed, domain, memory, CYCLES);
      settle();
      assertThat(descriptors()).as("descriptors").isLessThanOrEqualTo(descriptors + MOST_DESCRIPTORS_MORE);
      // The collector's threads give it back some time.
      Waiting.until(() -> directBytes() < bytes + MOST_BYTES_MORE);
      assertThat(fabric.control().fakeMadeOf("queue pair")).isGreaterThan(CYCLES);
      Waiting.await(memory.deregister());
      Waiting.await(domain.close());
    }
  }

  /** All but listeners and channels goes. */
  private void settle() {
    Waiting.until(() -> {
      for (ConnectionRequest left = unanswered.poll(); left != null; left = unanswered.poll()) {
        Waiting.outcome(left.reject(Buffer.buffer()));
      }
      return fabric.control().fakeAlive().lines()
          .allMatch(line -> line.endsWith(" channel") || line.equals("3 connection identifier"));
    });
  }

  private void cycles(VerbsBed bed, ProtectionDomain domain, LocalMemory memory, int count) {
    for (int i = 0; i < count; i++) {
      RecordingHandler handler = new RecordingHandler();
      Course course = Course.values()[i % Course.values().length];
      if (course == Course.NO_QUEUE_PAIR) {
        fabric.control().fakeFail("rdma_create_qp", Errno.ENOMEM, 0, FakeFabric.ALWAYS);
      } else if (course == Course.WRONG_EVENT) {
        fabric.control().fakeInstead(Numbers.ROUTE_RESOLVED, 99, 0, 0, 1);
      }
      Future<QueuePair> connecting = bed.device().connect(bed.context(), switch (course) {
        case REJECTED -> bad;
        case REFUSED -> SocketAddress.inetSocketAddress(1, VerbsBed.HOST);
        case TIMED_OUT -> slow;
        default -> good;
      }, domain, course == Course.TIMED_OUT ? ConnectionOptions.DEFAULT.withTimeout(SOON) : ConnectionOptions.DEFAULT,
          pair -> handler);
      switch (course) {
        case WELL, CUT, REMOVED -> talk(Waiting.await(connecting), handler, memory, course);
        // Whose identifiers may come late, and are not those that another course looks for.
        case TIMED_OUT -> {
          Waiting.awaitFailure(connecting);
          settle();
        }
        default -> Waiting.awaitFailure(connecting);
      }
      fabric.control().fakeFail("rdma_create_qp", 0, 0, 0);
    }
  }

  private void talk(QueuePair pair, RecordingHandler handler, LocalMemory memory, Course course) {
    pair.context().runOnContext(owned -> {
      pair.postSend(2, memory, 0, 64);
      pair.flush();
    });
    handler.completion(Opcode.SEND);
    if (course == Course.WELL) {
      Waiting.await(pair.close());
    } else if (course == Course.CUT) {
      assertThat(fabric.control().fakeComplete(Role.CONNECTS.ordinal(), 77, 0, 0)).isOne();
    } else {
      assertThat(fabric.control().fakeEvent(Role.ACCEPTS.ordinal(), Numbers.DEVICE_REMOVAL, 0)).isOne();
    }
    handler.next(Disconnected.class);
  }
}
