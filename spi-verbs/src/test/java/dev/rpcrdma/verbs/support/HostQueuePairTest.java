// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a queue pair is asked for is checked before its provider gets it. */
@DisplayName("support: queue pairs")
final class HostQueuePairTest {

  private static final int BYTES = 16;

  private final EventLoop loop = new DefaultEventLoop();
  private final PostGate gate = new PostGate(loop);
  private final HostProtectionDomain domain = new HostProtectionDomain();
  private final LocalMemory memory = register(domain, ByteBuffer.allocateDirect(BYTES));
  private final LocalMemory readOnly = register(domain, ByteBuffer.allocateDirect(BYTES).asReadOnlyBuffer());
  private final LocalMemory foreign = register(new HostProtectionDomain(), ByteBuffer.allocateDirect(BYTES));
  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final Pair pair = new Pair(gate);

  private static LocalMemory register(HostProtectionDomain domain, ByteBuffer buffer) {
    return domain.register(buffer, LocalMemory.Backing.MEMORY).result();
  }

  @BeforeEach
  void connect() {
    gate.connected();
  }

  @AfterEach
  void end() throws Exception {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private void onLoop(Runnable action) throws Throwable {
    try {
      loop.submit(action).get(10, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  private ThrowingCallable use(Runnable action) {
    return () -> onLoop(action);
  }

  private void assertInvalid(String word, Runnable action) {
    assertThatThrownBy(use(action)).isInstanceOf(VerbsException.class).hasMessageContaining(word)
        .extracting(e -> ((VerbsException) e).kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
  }

  private void assertWrongState(String word, Runnable action) {
    assertThatIllegalStateException().isThrownBy(use(action)).withMessageContaining(word);
  }

  private List<Runnable> requests(LocalMemory memory) {
    return List.of(() -> pair.postSend(1, memory, 0, 1), () -> pair.postSendWithInvalidate(2, memory, 1, 2, 9),
        () -> pair.postWrite(3, memory, 2, 3, 8, 100), () -> pair.postRead(4, memory, 3, 4, 7, 200));
  }

  private List<Runnable> all(LocalMemory memory) {
    List<Runnable> all = new ArrayList<>(requests(memory));
    all.add(() -> pair.postReceive(5, memory, 4, 5));
    all.add(() -> pair.expose("owner", memory, 5, 6, Access.REMOTE_READ));
    return all;
  }

  @Test
  @DisplayName("What is right is handed on as it is")
  void handedOn() throws Throwable {
    for (Runnable each : all(memory)) {
      onLoop(each);
    }
    onLoop(() -> pair.revoke(pair.exposure));
    onLoop(pair::flush);
    assertThat(pair.done).containsExactly("SEND 1 0+1 0 0 false", "SEND 2 1+2 9 0 true", "WRITE 3 2+3 8 100 false",
        "READ 4 3+4 7 200 false", "RECEIVE 5 4+5", "expose owner 5+6 REMOTE_READ", "revoke", "ring");
    assertThat(pair.memories).hasSize(6).containsOnly(memory);
    assertThat(pair.context()).isSameAs(context);
    assertThat(pair.localAddress().port()).isEqualTo(1);
    assertThat(pair.remoteAddress().port()).isEqualTo(2);
  }

  @Test
  @DisplayName("P-023: memory of another domain is refused for everything, as is memory that cannot be written to")
  void memories() {
    all(foreign).forEach(each -> assertInvalid("not registered", each));
    assertInvalid("read-only", () -> pair.postReceive(1, readOnly, 0, 1));
    assertInvalid("read-only", () -> pair.postRead(1, readOnly, 0, 1, 1, 0));
    assertInvalid("At least one byte", () -> pair.expose("owner", memory, 0, 0, Access.REMOTE_READ));
    assertThat(pair.done).isEmpty();
  }

  @Test
  @DisplayName("A queue that is full takes no more, nor does ORD")
  void full() throws Throwable {
    pair.receiveQueueFull = true;
    assertWrongState("receive queue is full", () -> pair.postReceive(1, memory, 0, 1));
    pair.reads = 1;
    onLoop(() -> pair.postRead(1, memory, 0, 1, 1, 0));
    pair.reads = 2;
    assertWrongState("All 2 Reads", () -> pair.postRead(1, memory, 0, 1, 1, 0));
    pair.reads = 0;
    pair.sendQueueFull = true;
    requests(memory).forEach(each -> assertWrongState("send queue is full", each));
    assertThat(pair.done).containsExactly("READ 1 0+1 1 0 false");
  }

  @Test
  @DisplayName("Another thread may ask for nothing, nor anyone at the end")
  void gate() {
    List<Runnable> all = new ArrayList<>(all(memory));
    all.add(() -> pair.revoke(pair.exposure));
    all.add(pair::flush);
    all.forEach(each -> assertThatIllegalStateException().isThrownBy(each::run).withMessageContaining("event loop"));
    gate.over();
    all.forEach(each -> assertWrongState("disconnected", each));
    assertThat(pair.done).isEmpty();
  }

  @Test
  @DisplayName("Before the queue pair is up Receives are taken, and nothing else but what rings for them")
  void setUp() throws Throwable {
    PostGate early = new PostGate(loop);
    Pair made = new Pair(early);
    onLoop(() -> made.postReceive(1, memory, 0, 1));
    onLoop(made::flush);
    assertWrongState("only Receives", () -> made.postSend(1, memory, 0, 1));
    assertWrongState("only Receives", () -> made.postRead(1, memory, 0, 1, 1, 0));
    assertWrongState("only Receives", () -> made.expose("owner", memory, 0, 1, Access.REMOTE_READ));
    assertWrongState("only Receives", () -> made.revoke(made.exposure));
    assertThat(made.done).containsExactly("RECEIVE 1 0+1", "ring");
  }

  /** Fails if a post or an exposure is not counted. */
  @Test
  @DisplayName("While the queues are flushed, no more is taken than they hold")
  void flushed() throws Throwable {
    List<Runnable> all = all(memory);
    for (Runnable each : all) {
      gate.flushing(1);
      onLoop(each);
      assertWrongState("disconnected", each);
    }
    assertThat(pair.done).hasSameSizeAs(all);
  }

  @Test
  @DisplayName("An exposure on a connection that goes down, or for writing to read-only memory, fails")
  void failedExposures() throws Throwable {
    onLoop(() -> {
      assertThat(pair.expose("read", readOnly, 0, 1, Access.REMOTE_READ)).isSameAs(pair.exposure);
      assertThat(pair.expose("write", memory, 0, 1, Access.REMOTE_WRITE)).isSameAs(pair.exposure);
      assertThat(pair.expose("never", readOnly, 0, 3, Access.REMOTE_WRITE)).isSameAs(pair.failed);
      pair.open = false;
      assertThat(pair.expose("late", memory, 0, 4, Access.REMOTE_READ)).isSameAs(pair.failed);
    });
    assertThat(pair.done).containsExactly("expose read 0+1 REMOTE_READ", "expose write 0+1 REMOTE_WRITE",
        "nothing never 3 INVALID_ARGUMENT", "nothing late 4 DISCONNECTED");
  }

  @Test
  @DisplayName("An exposure that has failed, or is another queue pair's, is not revoked")
  void revocations() {
    assertInvalid("has failed", () -> pair.revoke(pair.failed));
    assertInvalid("not of this queue pair", () -> pair.revoke(new Token("owner", Optional.empty())));
    assertThat(pair.done).isEmpty();
  }

  /** Writes down what it is given. */
  private final class Pair extends HostQueuePair {

    private final List<String> done = new ArrayList<>();
    private final List<LocalMemory> memories = new ArrayList<>();
    private final Exposure exposure = new Token("owner", Optional.empty());
    private final Exposure failed =
        new Token("owner", Optional.of(new VerbsException(VerbsException.Kind.DISCONNECTED, "on purpose")));
    private boolean open = true;
    private boolean receiveQueueFull;
    private boolean sendQueueFull;
    private int reads;

    Pair(PostGate gate) {
      super(context, domain, gate, SocketAddress.inetSocketAddress(1, "127.0.0.1"),
          SocketAddress.inetSocketAddress(2, "127.0.0.1"));
    }

    @Override
    public Buffer privateData() {
      return Buffer.buffer();
    }

    @Override
    public int outboundReads() {
      return 2;
    }

    @Override
    public int exposures() {
      return 0;
    }

    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }

    @Override
    protected boolean isOpen() {
      return open;
    }

    @Override
    protected boolean isReceiveQueueFull() {
      return receiveQueueFull;
    }

    @Override
    protected boolean isSendQueueFull() {
      return sendQueueFull;
    }

    @Override
    protected int reads() {
      return reads;
    }

    @Override
    protected void receive(long id, HostMemory sink, int offset, int length) {
      memories.add(sink);
      done.add("RECEIVE " + id + " " + offset + "+" + length);
    }

    @Override
    protected void request(long id, Opcode opcode, HostMemory memory, int offset, int length, int tag,
        long remoteOffset, boolean invalidate) {
      memories.add(memory);
      done.add(opcode + " " + id + " " + offset + "+" + length + " " + tag + " " + remoteOffset + " " + invalidate);
    }

    @Override
    protected void ring() {
      done.add("ring");
    }

    @Override
    protected Exposure exposeChecked(Object owner, HostMemory memory, int offset, int length, Access access) {
      memories.add(memory);
      done.add("expose " + owner + " " + offset + "+" + length + " " + access);
      return exposure;
    }

    @Override
    protected Exposure exposeNothing(Object owner, int length, VerbsException why) {
      done.add("nothing " + owner + " " + length + " " + why.kind());
      return failed;
    }

    @Override
    protected boolean isOwn(Exposure exposure) {
      return exposure == this.exposure || exposure == failed;
    }

    @Override
    protected void revokeChecked(Exposure exposure) {
      done.add("revoke");
    }
  }
}
