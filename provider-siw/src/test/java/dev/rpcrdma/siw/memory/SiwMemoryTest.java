package dev.rpcrdma.siw.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What may be done with registered memory, and how long it is used. */
@DisplayName("siw: registered memory")
final class SiwMemoryTest {

  private final SiwProtectionDomain domain = new SiwProtectionDomain();
  private final SiwMemory memory = register(ByteBuffer.allocateDirect(16));
  private final ExposureTable table = new ExposureTable(new TagSource());
  private final List<SiwExposure> answered = new ArrayList<>();

  private SiwMemory register(ByteBuffer buffer) {
    return (SiwMemory) domain.register(buffer, LocalMemory.Backing.MEMORY).result();
  }

  private static void assertRefused(String word, ThrowingCallable use) {
    assertThatThrownBy(use).isInstanceOf(VerbsException.class).hasMessageContaining(word)
        .extracting(e -> ((VerbsException) e).kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
  }

  @Test
  @DisplayName("P-023, B-019: a range is inside its memory")
  void ranges() {
    for (int[] good : new int[][] {{0, 0}, {0, 16}, {16, 0}, {15, 1}, {3, 5}}) {
      assertThat(SiwMemory.check(memory, domain, good[0], good[1])).isSameAs(memory);
      assertThat(SiwMemory.checkSink(memory, domain, good[0], good[1])).isSameAs(memory);
    }
    for (int[] bad : new int[][] {{-1, 1}, {0, -1}, {0, 17}, {16, 1}, {17, 0}, {1, Integer.MAX_VALUE}}) {
      assertRefused("outside", () -> SiwMemory.check(memory, domain, bad[0], bad[1]));
    }
  }

  @Test
  @DisplayName("P-023, B-019: memory of another domain, and memory that is deregistered, is refused")
  void foreign() {
    assertRefused("not registered", () -> SiwMemory.check(memory, new SiwProtectionDomain(), 0, 1));
    assertRefused("not registered", () -> SiwMemory.check(null, domain, 0, 1));
    memory.deregister();
    assertRefused("deregistered", () -> SiwMemory.check(memory, domain, 0, 1));
    assertRefused("deregistered", memory::use);
  }

  @Test
  @DisplayName("Nothing is placed in read-only memory, and it may be sent from")
  void readOnly() {
    SiwMemory readOnly = register(ByteBuffer.allocateDirect(8).asReadOnlyBuffer());
    assertThat(readOnly.readOnly()).isTrue();
    assertThat(memory.readOnly()).isFalse();
    assertThat(SiwMemory.check(readOnly, domain, 0, 8)).isSameAs(readOnly);
    assertRefused("read-only", () -> SiwMemory.checkSink(readOnly, domain, 0, 8));
  }

  @Test
  @DisplayName("A domain that is closed registers nothing; heap memory is never registered")
  void refusedRegistrations() {
    assertThat(memory.backing()).isEqualTo(LocalMemory.Backing.MEMORY);
    assertThat(memory.mapped()).isFalse();
    assertThat(domain.register(ByteBuffer.allocate(8), LocalMemory.Backing.MEMORY).failed()).isTrue();
    assertThat(domain.registrations()).isEqualTo(1);
    assertThat(domain.close().succeeded()).isTrue();
    assertThat(domain.registrations()).isZero();
    Future<LocalMemory> late = domain.register(ByteBuffer.allocateDirect(8), LocalMemory.Backing.MEMORY);
    assertThat(late.cause()).isInstanceOf(VerbsException.class)
        .extracting(e -> ((VerbsException) e).kind()).isEqualTo(VerbsException.Kind.CLOSED);
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
