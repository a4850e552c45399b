// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.tools.decode.message.MessageRoom.Unfinished;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Room for captured messages")
final class MessageRoomTest {

  private final MessageRoom room = new MessageRoom(100);
  private final List<Integer> forgotten = new ArrayList<>();

  /** Fails if {@code MessageRoom.hold} compares with {@code >=}, or forgets the newest. */
  @Test
  @DisplayName("All messages have twice as much as one; the oldest goes with the first byte more")
  void bound() {
    Unfinished first = () -> forgotten.add(1);
    Unfinished second = () -> forgotten.add(2);
    room.hold(first, 150);
    room.hold(second, 50);
    assertThat(room.bytes()).isEqualTo(200);
    assertThat(forgotten).isEmpty();
    room.hold(second, 51);
    assertThat(forgotten).containsExactly(1);
    assertThat(room.bytes()).isEqualTo(51);
    assertThat(room.forgotten()).isEqualTo(1);
    room.hold(second, 0);
    room.hold(first, 0);
    assertThat(room.bytes()).isZero();
  }
}
