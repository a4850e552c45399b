// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.LocalMemory;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class IdleBlocksTest {

  private static final long NOW = 1_000;

  private final IdleBlocks idle = new IdleBlocks(100);

  /** Block of which the length alone matters. */
  private record Block(int length) implements LocalMemory {

    @Override
    public ByteBuffer buffer() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Backing backing() {
      return Backing.MEMORY;
    }

    @Override
    public Future<Void> deregister() {
      return Future.succeededFuture();
    }
  }

  private LocalMemory kept(int length, long since) {
    LocalMemory block = new Block(length);
    assertThat(idle.keep(block, since)).isTrue();
    return block;
  }

  @Test
  @DisplayName("Blocks are kept up to the bound, which the last one may just reach")
  void bound() {
    assertThat(idle.isEmpty()).isTrue();
    LocalMemory first = kept(60, NOW);
    assertThat(idle.isEmpty()).isFalse();
    kept(40, NOW);
    assertThat(idle.keep(new Block(1), NOW)).isFalse();
    assertThat(idle.bytes()).isEqualTo(100);
    assertThat(idle.take(60)).isSameAs(first);
    assertThat(idle.bytes()).isEqualTo(40);
    kept(60, NOW);
  }

  @Test
  @DisplayName("The smallest block that is large enough is taken, wherever it stands")
  void smallest() {
    LocalMemory middle = kept(30, NOW);
    LocalMemory small = kept(20, NOW);
    LocalMemory large = kept(35, NOW);
    assertThat(idle.take(19)).isSameAs(small);
    assertThat(idle.take(19)).isSameAs(middle);
    assertThat(idle.take(36)).isNull();
    assertThat(idle.take(35)).as("which is just large enough").isSameAs(large);
    assertThat(idle.take(35)).isNull();
  }

  @Test
  @DisplayName("A block is not taken for half of its length or less")
  void half() {
    LocalMemory block = kept(30, NOW);
    assertThat(idle.take(14)).isNull();
    assertThat(idle.take(15)).isNull();
    assertThat(idle.take(16)).isSameAs(block);
  }

  @Test
  @DisplayName("Blocks that came back before a time are taken out, and the one that came back just then is not")
  void before() {
    LocalMemory first = kept(60, NOW);
    LocalMemory second = kept(40, NOW + 1);
    assertThat(idle.takeBefore(NOW)).isEmpty();
    assertThat(idle.takeBefore(NOW + 1)).containsExactly(first);
    assertThat(idle.bytes()).isEqualTo(40);
    assertThat(idle.takeBefore(NOW + 2)).containsExactly(second);
    assertThat(idle.isEmpty()).isTrue();
  }

  @Test
  @DisplayName("What has been taken out with all others is not there any more, and leaves room")
  void all() {
    LocalMemory first = kept(60, NOW);
    LocalMemory second = kept(40, NOW);
    assertThat(idle.takeAll()).containsExactly(first, second);
    assertThat(idle.isEmpty()).isTrue();
    assertThat(idle.bytes()).isZero();
    assertThat(idle.takeAll()).isEmpty();
    kept(100, NOW);
  }
}
