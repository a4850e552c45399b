// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.xdr.DataItem;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Send buffers that other connections use as well. */
class OutboxTest {

  private final List<String> posted = new ArrayList<>();
  private final Buffers buffers = new Buffers();
  private final Outbox outbox = new Outbox(new Posts(), buffers);

  /** A message that says its name. */
  private record Message(String name, List<String> log, int writes) implements Transmission {

    @Override
    public int encode(ByteBuffer target) {
      return 1;
    }

    @Override
    public boolean hasWrite() {
      return writes > 0 && !log.contains("write of " + name);
    }

    @Override
    public Write nextWrite() {
      log.add("write of " + name);
      return new Write(null, 0, 1, 1, 0);
    }

    @Override
    public boolean awaitsCompletion() {
      return true;
    }

    @Override
    public void completed(boolean success, long now) {
      log.add(name + (success ? " completed" : " not sent"));
    }
  }

  private void submit(String name) {
    outbox.submit(new Message(name, posted, 0));
  }

  @Test
  @DisplayName("A message for which there is no buffer waits, and those behind it; what has a buffer is posted")
  void waits() {
    outbox.open(8);
    buffers.left = 1;
    assertThat(outbox.idle()).isTrue();
    submit("a");
    assertThat(posted).containsExactly("send 1");
    assertThat(outbox.idle()).isFalse();
    submit("b");
    submit("c");
    assertThat(posted).hasSize(1);
    assertThat(outbox.waiting()).isEqualTo(2);
    assertThat(buffers.waiting).as("asked for once").hasSize(1);
    buffers.come(1);
    assertThat(posted).containsExactly("send 1", "send 2");
    assertThat(buffers.waiting).as("asked for again").hasSize(1);
    buffers.come(3);
    assertThat(posted).containsExactly("send 1", "send 2", "send 3");
    assertThat(outbox.idle()).isTrue();
  }

  @Test
  @DisplayName("Writes need no buffer; their Send does")
  void writes() {
    outbox.open(8);
    outbox.submit(new Message("a", posted, 1));
    assertThat(posted).containsExactly("write of a", "write 1");
    assertThat(outbox.isDone()).isFalse();
    buffers.come(1);
    assertThat(posted).containsExactly("write of a", "write 1", "send 2");
  }

  @Test
  @DisplayName("A buffer that comes when the connection is lost is left to others")
  void lost() {
    outbox.open(8);
    submit("a");
    outbox.abandon(0);
    assertThat(posted).containsExactly("a not sent");
    buffers.come(1);
    assertThat(posted).hasSize(1);
    assertThat(buffers.left).isEqualTo(1);
  }

  @Test
  @DisplayName("A buffer that a completion frees is used at once")
  void ownBuffer() {
    outbox.open(8);
    buffers.left = 1;
    submit("a");
    submit("b");
    outbox.completed(1, true, 0);
    assertThat(posted).containsExactly("send 1", "send 2", "a completed");
    outbox.completed(2, true, 0);
    assertThat(posted).endsWith("b completed");
    assertThat(outbox.isDone()).isTrue();
    assertThat(buffers.left).isEqualTo(1);
  }

  /** As many as a test lets there be. */
  private static final class Buffers implements Memory {

    private int left;
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    void come(int count) {
      left += count;
      while (left > 0 && !waiting.isEmpty()) {
        waiting.poll().run();
      }
    }

    @Override
    public boolean hasSendBuffer() {
      return left > 0;
    }

    @Override
    public void awaitSendBuffer(Runnable action) {
      waiting.add(action);
    }

    @Override
    public MessageBuffer takeSendBuffer() {
      assertThat(left--).isPositive();
      return new Buffer(this);
    }

    @Override
    public void allocate(int length, RegionListener listener) {
      throw new AssertionError();
    }

    @Override
    public void allocateFilled(int length, Consumer<ByteBuffer> source, RegionListener listener) {
      throw new AssertionError();
    }

    @Override
    public void regionOf(DataItem item, RegionListener listener) {
      throw new AssertionError();
    }
  }

  private record Buffer(Buffers all) implements MessageBuffer {

    @Override
    public ByteBuffer bytes() {
      return ByteBuffer.allocate(8);
    }

    @Override
    public void free() {
      all.come(1);
    }
  }

  private final class Posts implements Fabric {

    @Override
    public void postSend(long id, MessageBuffer message, int length) {
      posted.add("send " + id);
    }

    @Override
    public void postSendWithInvalidate(long id, MessageBuffer message, int length, int handle) {
      throw new AssertionError();
    }

    @Override
    public void postWrite(long id, Region source, int from, int length, int handle, long offset) {
      posted.add("write " + id);
    }

    @Override
    public void postRead(long id, Region sink, int from, int length, int handle, long offset) {
      throw new AssertionError();
    }

    @Override
    public void expose(ExposedRegion exposure, Region region, boolean remoteWrite) {
      throw new AssertionError();
    }

    @Override
    public void revoke(ExposedRegion exposure) {
      throw new AssertionError();
    }

    @Override
    public void disconnect(String reason) {
      throw new AssertionError();
    }
  }
}
