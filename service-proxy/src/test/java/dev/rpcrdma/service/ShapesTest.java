// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.service.fixture.Shapes;
import dev.rpcrdma.service.fixture.Shapes.Circle;
import dev.rpcrdma.service.fixture.Shapes.Drawing;
import dev.rpcrdma.service.fixture.Shapes.Group;
import dev.rpcrdma.service.fixture.Shapes.Nothing;
import dev.rpcrdma.service.fixture.Shapes.Rectangle;
import dev.rpcrdma.service.fixture.Shapes.Shape;
import dev.rpcrdma.service.fixture.Shapes.Unit;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Enums with numbers of their own and discriminated unions. */
class ShapesTest extends TypeFamilyTest<Shapes> {

  ShapesTest() {
    super(Shapes.class, family());
  }

  private static TypeFamily<Shapes> family() {
    return new TypeFamily<Shapes>()
        .good(1, Shapes::ofUnit, Unit.METRE, "0000000a")
        .good(1, Shapes::ofUnit, Unit.INCH, "ffffffff")
        .good(1, Shapes::ofUnit, Unit.DOT, "00000000")
        .good(2, Shapes::ofUnits, Map.of(Unit.INCH, Optional.of(Unit.METRE)), "00000001 ffffffff 00000001 0000000a")
        .good(3, Shapes::ofShape, new Circle(5, Unit.INCH), "00000001 00000005 ffffffff")
        .good(3, Shapes::ofShape, new Rectangle(3, 4), "fffffffe 00000003 00000004")
        .good(3, Shapes::ofShape, new Nothing(), "00000000")
        .good(3, Shapes::ofShape, new Group(List.of(new Nothing(), new Group(List.of(), null)), new Rectangle(1, 2)),
            "00000007 00000002 00000000 00000007 00000000 00000000 00000001 fffffffe 00000001 00000002")
        .good(3, Shapes::ofShape, new Group(List.of(new Nothing(), new Nothing(), new Nothing()), null),
            "00000007 00000003 00000000 00000000 00000000 00000000")
        .good(4, Shapes::ofShapes, List.of(Optional.of(new Nothing()), Optional.empty()),
            "00000002 00000001 00000000 00000000")
        .good(5, Shapes::ofDrawing, new Drawing(new Nothing(), Set.of(Unit.DOT)), "00000000 00000001 00000000")
        .good(6, Shapes::ofFlat, new Rectangle(3, 4), "fffffffe 00000003 00000004")
        .good(7, Shapes::ofRectangle, new Rectangle(3, 4), "00000003 00000004")
        .bad(1, "00000001", "1 is no value of Unit")
        .bad(1, "fffffffe", "-2 is no value of Unit")
        .bad(2, "00000002 ffffffff 00000000 ffffffff 00000000", "repeats the key")
        .bad(3, "00000002", "2 is no value of Shape")
        .bad(3, "ffffffff 00000000 00000000", "-1 is no value of Shape")
        .bad(3, "00000001 00000005 00000005", "5 is no value of Unit")
        .bad(3, "00000001 ffffffff 00000000", "A value was refused: java.lang.IllegalArgumentException: negative")
        .bad(3, "00000007 00000001 00000003 00000000", "3 is no value of Shape")
        .bad(5, "00000000 00000003 00000000 0000000a ffffffff", "exceeds its bound of 2")
        .bad(6, "00000001 00000000 00000000", "1 is no value of Flat");
  }

  @Test
  void depthIsBounded() throws Throwable {
    // Each level is a group of the next; the last is empty.
    Shape deepest = new Group(List.of(), null);
    for (int i = 1; i < 256; i++) {
      deepest = new Group(List.of(), deepest);
    }
    Shape allowed = deepest;
    assertThat(onVertx.await(() -> program.ofShape(allowed))).isEqualTo(allowed);
    assertThatThrownBy(() -> onVertx.await(() -> program.ofShape(new Group(List.of(allowed), null))))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("256 deep");
    ByteBuffer message = ByteBuffer.allocate(8 * 100_000);
    IntStream.range(0, 100_000).forEach(i -> message.putInt(7).putInt(1));
    assertThatThrownBy(() -> RawCalls.to(binding, program).serve(3, message.array()))
        .isInstanceOf(XdrException.class).hasMessageContaining("256 deep");
  }

  @Test
  void nullIsNamed() {
    assertThatThrownBy(() -> onVertx.await(() -> program.ofShape(null)))
        .isInstanceOf(NullPointerException.class).hasMessage("value must not be null");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofUnit(null)))
        .isInstanceOf(NullPointerException.class).hasMessage("value must not be null");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofShape(new Group(Arrays.asList((Shape) null), null))))
        .isInstanceOf(NullPointerException.class).hasMessage("an element of Group.shapes must not be null");
  }

  @Test
  void sizesAreKnown() throws Throwable {
    onVertx.await(() -> program.ofFlat(new Rectangle(1, 2)));
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.of(784));
    onVertx.await(() -> program.ofShape(new Nothing()));
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.UNPREDICTABLE);
  }
}
