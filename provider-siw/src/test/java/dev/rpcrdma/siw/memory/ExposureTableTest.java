// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.siw.memory.ExposureTable.Verdict;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table against a list, and the arithmetic of its checks. */
@DisplayName("siw: exposure table")
final class ExposureTableTest {

  private final HostProtectionDomain domain = new HostProtectionDomain();
  private final ExposureTable table = new ExposureTable(new TagSource());
  private final HostMemory memory = (HostMemory) domain.register(ByteBuffer.allocateDirect(64),
      LocalMemory.Backing.MEMORY).result();

  @Test
  @DisplayName("P-024: finds what lives and nothing that has ended, over thousands of changes")
  void againstList() {
    Random random = new Random(1);
    List<SiwExposure> live = new ArrayList<>();
    List<SiwExposure> ended = new ArrayList<>();
    Map<Integer, SiwExposure> byTag = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      if (live.size() < 200 && random.nextInt(2) == 0 || live.isEmpty()) {
        SiwExposure exposure = table.expose(i, memory, 0, 64, Access.REMOTE_READ);
        live.add(exposure);
        assertThat(byTag.put(exposure.steeringTag(), exposure)).isNull();
      } else {
        SiwExposure exposure = live.remove(random.nextInt(live.size()));
        if (random.nextBoolean()) {
          table.revoke(exposure, answered -> {});
        } else {
          assertThat(table.invalidate(exposure.steeringTag())).isTrue();
        }
        ended.add(exposure);
        byTag.remove(exposure.steeringTag());
      }
      assertThat(table.size()).isEqualTo(live.size());
      if (i % 100 == 0) {
        live.forEach(each -> assertThat(table.lookup(each.steeringTag())).isSameAs(each));
        // Of ten thousand random tags one may come again, long after its first use.
        ended.forEach(each -> assertThat(table.lookup(each.steeringTag()))
            .isSameAs(byTag.get(each.steeringTag())));
      }
    }
    table.endAll(answered -> {});
    assertThat(table.size()).isZero();
    memory.deregister();
    assertThat(domain.registrations()).isZero();
  }

  @Test
  @DisplayName("P-023, B-017: bounds and 64-bit arithmetic")
  void bounds() {
    SiwExposure exposure = table.expose(1, memory, 8, 32, Access.REMOTE_WRITE);
    long at = exposure.remoteOffset();
    assertVerdict(Verdict.GRANTED, exposure, at, 32);
    assertVerdict(Verdict.GRANTED, exposure, at + 31, 1);
    assertThat(exposure.index(at + 31)).isEqualTo(39);
    assertVerdict(Verdict.BOUNDS, exposure, at, 33);
    assertVerdict(Verdict.BOUNDS, exposure, at + 32, 1);
    assertVerdict(Verdict.BOUNDS, exposure, at - 1, 1);
    assertVerdict(Verdict.BOUNDS, exposure, at, 0xFFFFFFFFL);
    assertVerdict(Verdict.BOUNDS, exposure, at + Long.MIN_VALUE, 1);
    assertVerdict(Verdict.BOUNDS, exposure, -1, 1);
    assertVerdict(Verdict.WRAP, exposure, -1, 2);
    assertVerdict(Verdict.WRAP, exposure, -1, 0xFFFFFFFFL);
    assertThat(ExposureTable.check(exposure, Access.REMOTE_READ, at, 1))
        .isEqualTo(Verdict.RIGHTS);
    assertThat(ExposureTable.check(null, Access.REMOTE_READ, at, 1))
        .isEqualTo(Verdict.INVALID_TAG);
  }

  private static void assertVerdict(Verdict verdict, SiwExposure exposure, long at, long length) {
    assertThat(ExposureTable.check(exposure, Access.REMOTE_WRITE, at, length)).isEqualTo(verdict);
  }

  /** Numbers that come again and again: each pair is a tag and its offset. */
  private static final class FewNumbers extends Random {
    private static final long serialVersionUID = 1L;
    private final int most;
    private int last;

    FewNumbers(int most) {
      this.most = most;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      for (ByteBuffer out = ByteBuffer.wrap(bytes); out.hasRemaining(); ) {
        last = last % most + 1;
        out.putInt(last);
      }
    }
  }

  /** Fails if a recent tag, or a live one, is given out again. */
  @Test
  @DisplayName("P-024, P-025: a tag is none of the live ones, and none of the last 256 that ended")
  void recentTags() {
    ExposureTable few = new ExposureTable(new TagSource(new FewNumbers(400)));
    List<Integer> recent = new ArrayList<>();
    SiwExposure live = few.expose(0, memory, 0, 8, Access.REMOTE_READ);
    for (int i = 0; i < 5000; i++) {
      SiwExposure exposure = few.expose(i, memory, 0, 8, Access.REMOTE_READ);
      int tag = exposure.steeringTag();
      assertThat(tag).isNotEqualTo(live.steeringTag());
      assertThat(recent.subList(Math.max(0, recent.size() - 256), recent.size()))
          .as("tags that ended before the exposure %d", i).doesNotContain(tag);
      few.revoke(exposure, answered -> {});
      recent.add(tag);
    }
    // There are fewer tags than exposures, so each came again as soon as it may.
    assertThat(new HashSet<>(recent)).hasSizeLessThanOrEqualTo(400);
  }

  /** Fails if an adopted tag is kept beside the next one: strangers choose the tags of observed streams. */
  @Test
  @DisplayName("Of the tags that were adopted one is kept, so that looking for it takes one step")
  void adopted() {
    HostMemory elsewhere = new ObservedMemory(0);
    SiwExposure own = table.expose(1, memory, 0, 8, Access.REMOTE_READ);
    for (int i = 1; i <= 100_000; i++) {
      table.adopt(elsewhere, Access.REMOTE_WRITE, i << 15, i);
      assertThat(table.size()).isEqualTo(2);
    }
    assertThat(table.lookup(100_000 << 15).remoteOffset()).isEqualTo(100_000);
    assertThat(table.lookup(99_999 << 15)).isNull();
    assertThat(table.lookup(own.steeringTag())).isSameAs(own);
    assertThat(table.invalidate(100_000 << 15)).isTrue();
    table.adopt(elsewhere, Access.REMOTE_READ, 5, 6);
    assertThat(table.size()).isEqualTo(2);
  }

  @Test
  @DisplayName("An exposure of another connection, or one that failed, is told from its own")
  void foreignExposure() {
    SiwExposure foreign = new ExposureTable(new TagSource())
        .expose(1, memory, 0, 8, Access.REMOTE_READ);
    assertThat(table.has(foreign)).isFalse();
    assertThat(table.has(table.expose(1, memory, 0, 8, Access.REMOTE_READ))).isTrue();
    SiwExposure failed = SiwExposure.failed(1, 8,
        new VerbsException(VerbsException.Kind.DISCONNECTED, "test"));
    assertThat(table.has(failed)).isFalse();
  }
}
