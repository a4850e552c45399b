// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Empty Writes that wake a peer")
class EmptyWriteProbeTest {

  private static final int FIRST = 20;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private int given;

  private EmptyWriteProbe begin(int firstMillis) {
    channel.freezeTime();
    EmptyWriteProbe nudges = new EmptyWriteProbe(channel.eventLoop(), firstMillis, () -> given++);
    nudges.begin();
    return nudges;
  }

  private int after(int millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    return given;
  }

  /** Fails if {@code EmptyWriteProbe.give} does not multiply the pause, or does not stop at the third. */
  @Test
  @DisplayName("A peer that says nothing gets three, each after ten times as long")
  void silence() {
    begin(FIRST);
    assertThat(after(19)).isZero();
    assertThat(after(1)).isEqualTo(1);
    assertThat(after(199)).isEqualTo(1);
    assertThat(after(1)).isEqualTo(2);
    assertThat(after(1999)).isEqualTo(2);
    assertThat(after(1)).isEqualTo(3);
    assertThat(after(100_000)).isEqualTo(3);
  }

  /** Fails if {@code give} gives none to a peer that was heard, which may have overlooked something all the same. */
  @Test
  @DisplayName("A peer that speaks at once gets one")
  void spokenBefore() {
    begin(FIRST).heard();
    assertThat(after(100_000)).isEqualTo(1);
  }

  /** Fails if {@code EmptyWriteProbe.give} does not ask again what was heard. */
  @Test
  @DisplayName("A peer that speaks behind the first gets no other")
  void spokenBehind() {
    EmptyWriteProbe nudges = begin(FIRST);
    assertThat(after(FIRST)).isEqualTo(1);
    nudges.heard();
    assertThat(after(100_000)).isEqualTo(1);
  }

  @Test
  @DisplayName("Without a time there are none")
  void never() {
    begin(0);
    assertThat(after(100_000)).isZero();
  }

  /** Fails if {@code EmptyWriteProbe.end} leaves the timer. */
  @Test
  @DisplayName("A connection that is over gives no more")
  void over() {
    begin(FIRST).end();
    assertThat(after(100_000)).isZero();
  }
}
