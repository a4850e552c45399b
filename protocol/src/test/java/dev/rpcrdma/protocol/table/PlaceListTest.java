// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlaceListTest {

  private static final class Placed implements PlaceList.Entry {

    private int place = PlaceList.NOWHERE;

    @Override
    public int place() {
      return place;
    }

    @Override
    public void place(int value) {
      place = value;
    }
  }

  private final PlaceList<Placed> list = new PlaceList<>();
  private final Placed a = new Placed();
  private final Placed b = new Placed();
  private final Placed c = new Placed();

  /** Fails if {@code PlaceList.remove} does not tell the last entry where it is now. */
  @Test
  @DisplayName("Entries come and go in any order, and each may come again")
  void anyOrder() {
    assertThat(list.isEmpty()).isTrue();
    list.add(a);
    list.add(b);
    list.add(c);
    list.remove(a);
    assertThat(list.all()).containsExactlyInAnyOrder(b, c);
    list.remove(c);
    assertThat(list.all()).containsExactly(b);
    list.add(a);
    assertThat(list.size()).isEqualTo(2);
    list.remove(b);
    list.remove(a);
    assertThat(list.isEmpty()).isTrue();
    assertThat(a.place()).isEqualTo(PlaceList.NOWHERE);
  }

  @Test
  @DisplayName("Who is out already costs nobody else the place")
  void twice() {
    list.add(a);
    list.add(b);
    list.remove(a);
    list.remove(a);
    list.remove(c);
    assertThat(list.all()).containsExactly(b);
  }
}
