// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.xdr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PayloadStreamTest {

  /** One byte with owners. */
  private static final class Owned implements DataItem {

    private int owners;

    Owned(int owners) {
      this.owners = owners;
    }

    @Override
    public int length() {
      return 1;
    }

    @Override
    public void copyTo(ByteBuffer target) {
      target.put((byte) 7);
    }

    @Override
    public boolean tryRetain() {
      owners += owners == 0 ? 0 : 1;
      return owners > 0;
    }

    @Override
    public boolean tryRelease() {
      return owners > 0 && owners-- > 0;
    }
  }

  private static PayloadStream stream(DataItem... items) {
    XdrWriter writer = new XdrWriter();
    for (DataItem item : items) {
      writer.dataItem(item);
    }
    return writer.toPayloadStream();
  }

  private static PayloadStream words(int count) {
    XdrWriter writer = new XdrWriter(4 * count);
    for (int i = 0; i < count; i++) {
      writer.int32(-1);
    }
    return writer.toPayloadStream();
  }

  @Test
  @DisplayName("A spent stream becomes the next one if it has the room")
  void spentStreamBecomesTheNext() {
    XdrWriter writer = new XdrWriter().int32(1).int32(2);
    for (int room : new int[] {2, 3}) {
      PayloadStream spent = words(room);
      PayloadStream next = writer.copyToPayloadStream(spent);
      assertThat(next).as("room for %d words", room).isSameAs(spent);
      assertThat(next.reducedLength()).isEqualTo(8);
      assertThat(next.toByteArray()).isEqualTo(Hex.bytes("00000001 00000002"));
    }
    PayloadStream tooSmall = words(1);
    PayloadStream next = writer.copyToPayloadStream(tooSmall);
    assertThat(next).isNotSameAs(tooSmall);
    assertThat(next.toByteArray()).isEqualTo(Hex.bytes("00000001 00000002"));
    assertThat(tooSmall.toByteArray()).isEqualTo(Hex.bytes("ffffffff"));
  }

  @Test
  @DisplayName("A spent stream with items is left alone, and so is one if the next has items")
  void spentStreamWithItemsIsLeftAlone() {
    PayloadStream withItem = stream(DataItem.of(new byte[] {5}));
    PayloadStream plain = new XdrWriter().int32(1).copyToPayloadStream(withItem);
    assertThat(plain.toByteArray()).isEqualTo(Hex.bytes("00000001"));
    assertThat(withItem.toByteArray()).isEqualTo(Hex.bytes("00000001 05000000"));
    PayloadStream spent = words(4);
    PayloadStream next =
        new XdrWriter().dataItem(DataItem.of(new byte[] {6})).copyToPayloadStream(spent);
    assertThat(next.toByteArray()).isEqualTo(Hex.bytes("00000001 06000000"));
    assertThat(spent.reducedLength()).isEqualTo(16);
  }

  @Test
  @DisplayName("A copy is as long as it must be, and is made only if need be")
  void copyOfWords() {
    PayloadStream exact = words(2);
    assertThat(exact.copy()).isSameAs(exact);
    XdrWriter writer = new XdrWriter(12).int32(1).int32(2);
    PayloadStream roomy = writer.toPayloadStream();
    PayloadStream copy = roomy.copy();
    assertThat(copy).isNotSameAs(roomy);
    assertThat(copy.copy()).isSameAs(copy);
    writer.overwriteInt32(0, 9);
    assertThat(copy.toByteArray()).isEqualTo(Hex.bytes("00000001 00000002"));
  }

  @Test
  @DisplayName("A copy has items of its own, still apart, even if its words need no copy")
  void copyOfItems() {
    byte[] bytes = {5, 6};
    PayloadStream copy =
        new XdrWriter(4).dataItem(DataItem.of(bytes)).toPayloadStream().copy();
    bytes[0] = 9;
    assertThat(copy.items()).hasSize(1);
    assertThat(copy.reducedLength()).isEqualTo(4);
    assertThat(copy.toByteArray()).isEqualTo(Hex.bytes("00000002 05060000"));
  }

  @Test
  @DisplayName("Each item gets an owner, or none does")
  void retainAllOrNone() {
    Owned first = new Owned(1);
    Owned second = new Owned(2);
    stream(first, second).retainItems();
    assertThat(first.owners).isEqualTo(2);
    assertThat(second.owners).isEqualTo(3);
    Owned gone = new Owned(0);
    Owned behind = new Owned(1);
    assertThatThrownBy(() -> stream(first, second, gone, behind).retainItems())
        .isInstanceOf(IllegalStateException.class);
    assertThat(first.owners).isEqualTo(2);
    assertThat(second.owners).isEqualTo(3);
    assertThat(gone.owners).isZero();
    assertThat(behind.owners).isEqualTo(1);
  }

  @Test
  @DisplayName("An item without owners does not keep the others from being released, and is told of")
  void releaseWhatIsLeft() {
    Owned first = new Owned(2);
    Owned last = new Owned(1);
    assertThat(stream(first, last).releaseItemsLeft()).isTrue();
    assertThat(first.owners).isEqualTo(1);
    assertThat(last.owners).isZero();
    Owned one = new Owned(1);
    Owned gone = new Owned(0);
    Owned other = new Owned(1);
    assertThat(stream(one, gone, other).releaseItemsLeft()).isFalse();
    assertThat(one.owners).isZero();
    assertThat(other.owners).isZero();
    assertThat(stream().releaseItemsLeft()).isTrue();
  }

  @Test
  @DisplayName("Every item has one owner less afterwards")
  void releaseAll() {
    Owned first = new Owned(2);
    Owned last = new Owned(1);
    stream(first, last).releaseItems();
    assertThat(first.owners).isEqualTo(1);
    assertThat(last.owners).isZero();
  }
}
