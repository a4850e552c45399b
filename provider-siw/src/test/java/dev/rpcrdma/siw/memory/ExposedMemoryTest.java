// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long registered memory is used by exposures. */
@DisplayName("siw: exposed memory")
final class ExposedMemoryTest {

  private final HostProtectionDomain domain = new HostProtectionDomain();
  private final HostMemory memory = register(ByteBuffer.allocateDirect(16));
  private final ExposureTable table = new ExposureTable(new TagSource());
  private final List<SiwExposure> answered = new ArrayList<>();

  private HostMemory register(ByteBuffer buffer) {
    return (HostMemory) domain.register(buffer, LocalMemory.Backing.MEMORY).result();
  }

  @Test
  @DisplayName("P-024, B-035: memory is used until all its exposures have ended, by whatever ends them")
  void endOfExposures() {
    SiwExposure busy = table.expose(1, memory, 4, 8, Access.REMOTE_READ);
    SiwExposure plain = table.expose(2, memory, 0, 8, Access.REMOTE_READ);
    SiwExposure invalidated = table.expose(3, memory, 0, 8, Access.REMOTE_READ);
    assertThat(busy.owner()).isEqualTo(1);
    assertThat(busy.length()).isEqualTo(8);
    assertThat(busy.failure()).isEmpty();
    assertThat(busy.index(busy.remoteOffset() + 3)).isEqualTo(7);
    busy.retain();
    busy.retain();
    assertThat(table.invalidate(busy.steeringTag())).as("the peer still reads it").isFalse();
    table.revoke(busy, answered::add);
    table.revoke(busy, answered::add);
    assertThat(table.waiting()).isEqualTo(1);
    assertThat(table.lookup(busy.steeringTag())).isNull();
    Future<Void> free = memory.deregister();
    assertThat(table.invalidate(invalidated.steeringTag())).isTrue();
    table.release(busy, answered::add);
    assertThat(answered).isEmpty();
    table.release(busy, answered::add);
    assertThat(answered).containsExactly(busy, busy);
    assertThat(table.waiting()).isZero();
    assertThat(table.size()).isEqualTo(1);
    assertThat(free.isComplete()).isFalse();
    table.revoke(plain, answered::add);
    table.revoke(plain, answered::add);
    assertThat(answered).as("each revocation is answered").containsExactly(busy, busy, plain, plain);
    assertThat(free.succeeded()).isTrue();
    assertThat(domain.registrations()).isZero();
  }

  @Test
  @DisplayName("P-024: the end of a connection ends all its exposures, and answers revocations that waited")
  void endOfAll() {
    SiwExposure live = table.expose(1, memory, 0, 8, Access.REMOTE_READ);
    SiwExposure waiting = table.expose(2, memory, 0, 8, Access.REMOTE_READ);
    waiting.retain();
    table.revoke(waiting, answered::add);
    Future<Void> free = memory.deregister();
    table.endAll(answered::add);
    assertThat(answered).containsExactly(waiting);
    assertThat(live.hasEnded()).isTrue();
    assertThat(waiting.hasEnded()).isTrue();
    assertThat(table.size()).isZero();
    assertThat(table.lookup(live.steeringTag())).isNull();
    assertThat(free.succeeded()).isTrue();
    table.endAll(answered::add);
    assertThat(answered).hasSize(1);
  }

  @Test
  @DisplayName("P-025: what a peer is told of a place is a positive offset that tells nothing of its address")
  void remoteOffsets() {
    for (int i = 0; i < 100; i++) {
      long offset = table.expose(i, memory, 0, 8, Access.REMOTE_READ).remoteOffset();
      assertThat(offset).isBetween(0L, 1L << 51);
      assertThat(offset % (1 << 20)).isZero();
    }
  }

  @Test
  @DisplayName("An adopted tag gives its memory up with the next one")
  void adopted() {
    table.adopt(memory, Access.REMOTE_WRITE, 1, 0);
    Future<Void> free = memory.deregister();
    assertThat(free.isComplete()).isFalse();
    table.adopt(new ObservedMemory(0), Access.REMOTE_WRITE, 2, 0);
    assertThat(free.succeeded()).isTrue();
  }
}
