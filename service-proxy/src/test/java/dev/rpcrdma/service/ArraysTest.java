// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.service.fixture.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Arrays of primitives. */
class ArraysTest extends TypeFamilyTest<Arrays> {

  ArraysTest() {
    super(Arrays.class, family());
  }

  private static TypeFamily<Arrays> family() {
    return new TypeFamily<Arrays>()
        .good(1, Arrays::ofBooleans, new boolean[] {true, false}, "00000002 00000001 00000000")
        .good(2, Arrays::ofShorts, new short[] {Short.MIN_VALUE, Short.MAX_VALUE}, "00000002 ffff8000 00007fff")
        .good(3, Arrays::ofChars, new char[] {'a', Character.MAX_VALUE}, "00000002 00000061 0000ffff")
        .good(4, Arrays::ofInts, new int[0], "00000000")
        .good(4, Arrays::ofInts, new int[] {-1, 2}, "00000002 ffffffff 00000002")
        .good(5, Arrays::ofLongs, new long[] {-2}, "00000001 ffffffff fffffffe")
        .good(6, Arrays::ofFloats, new float[] {1.5f, -0f}, "00000002 3fc00000 80000000")
        .good(7, Arrays::ofDoubles, new double[] {-1.5}, "00000001 bff80000 00000000")
        .good(8, Arrays::ofFew, new int[] {1, 2}, "00000002 00000001 00000002")
        .bad(1, "00000001 00000002", "must be 0 or 1")
        .bad(2, "00000001 00008000", "32768 is not a short")
        .bad(3, "00000001 ffffffff", "-1 is not a char")
        .bad(4, "00000003 00000001 00000002", "an array of 3 elements does not fit")
        .bad(5, "00000002 00000001 00000002 00000003", "an array of 2 elements does not fit")
        .bad(7, "7fffffff 00000000 00000000", "an array of 2147483647 elements does not fit")
        .bad(8, "00000003 00000001 00000002 00000003", "exceeds its bound of 2");
  }

  @Test
  void theyCrossWithinOthers() throws Throwable {
    assertThat(onVertx.await(() -> program.ofLists(List.of(new long[] {1}, new long[0]))))
        .containsExactly(new long[] {1}, new long[0]);
    assertThat(onVertx.await(() -> program.ofOptional(Optional.of(new double[] {1}))).orElseThrow())
        .containsExactly(1);
    assertThatThrownBy(() -> onVertx.await(() -> program.ofLists(List.of(new long[2]))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an element of value has a length of 2, which exceeds its bound of 1");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofFew(new int[3])))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("exceeds its bound of 2");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofChars(null)))
        .isInstanceOf(NullPointerException.class).hasMessage("value must not be null");
  }
}
