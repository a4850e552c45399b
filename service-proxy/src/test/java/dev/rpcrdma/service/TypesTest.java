// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.service.fixture.Color;
import dev.rpcrdma.service.fixture.Echo;
import dev.rpcrdma.service.fixture.EchoService;
import dev.rpcrdma.service.fixture.Tree;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every type of the manual's table crosses, in the form the manual says. */
class TypesTest {

  private final OnVertx onVertx = new OnVertx();
  private final ServiceBinding<Echo> binding = ServiceBinding.of(Echo.class);
  private final LoopbackCaller caller =
      new LoopbackCaller(onVertx.vertx(), binding.service(new EchoService()), true);
  private final Echo echo = caller.proxy(Echo.class);

  @AfterEach
  void close() throws Exception {
    onVertx.close();
  }

  @TestFactory
  List<DynamicTest> crossInTheirWireForm() {
    return Samples.ALL.stream().map(sample -> DynamicTest.dynamicTest(sample.toString(), () -> {
      assertThat(onVertx.await(() -> sample.call().apply(echo))).isEqualTo(sample.value());
      assertThat(Samples.hex(caller.lastCall())).as("call").isEqualTo(sample.hex());
      assertThat(Samples.hex(caller.lastReply())).as("reply")
          .isEqualTo(("00000000 " + sample.hex()).trim());
    })).toList();
  }

  @Test
  void payloadsCrossInlineToo() throws Throwable {
    Payload value = Payload.copyOf(onVertx.vertx(), Buffer.buffer("abc"));
    Payload result = onVertx.await(() -> echo.ofPayload(value));
    assertThat(result.toBuffer()).isEqualTo(Buffer.buffer("abc"));
    assertThat(Samples.hex(caller.lastCall())).isEqualTo("00000003 61626300");
    result.release();
    value.release();
    assertThat(caller.placed()).isEmpty();
  }

  @Test
  void payloadResultsWithoutTargetBelongToTheCaller() throws Throwable {
    Payload placed = onVertx.await(() -> echo.leased(16));
    assertThat(placed.length()).isEqualTo(16);
    assertThat(caller.placed()).hasSize(1);
    placed.release();
    assertThatThrownBy(placed::bytes).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> onVertx.await(() -> echo.leased(17)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the result of Echo.leased has a length of 17, which exceeds its bound of 16");
  }

  @Test
  void boxesCross() throws Throwable {
    assertThat(onVertx.await(() -> echo.boxes(true, (byte) -1, (short) -2, 'x', -3, -4L, 0.5f,
        -0.25))).isEqualTo("true -1 -2 x -3 -4 0.5 -0.25");
    assertThatThrownBy(() -> onVertx.await(() -> echo.boxes(true, (byte) -1, null, 'x', -3, -4L,
        0.5f, -0.25))).isInstanceOf(NullPointerException.class).hasMessage("c must not be null");
  }

  @Test
  void floatsKeepTheirBits() throws Throwable {
    for (Float value : List.of(Float.NaN, Float.NEGATIVE_INFINITY, -0f, Float.MIN_VALUE)) {
      assertThat(onVertx.await(() -> echo.ofFloat(value))).isEqualTo(value);
    }
    for (Double value : List.of(Double.NaN, -0d, Double.MAX_VALUE, Double.MIN_VALUE)) {
      assertThat(onVertx.await(() -> echo.ofDouble(value))).isEqualTo(value);
    }
  }

  @Test
  void overloadsAndClashingNamesCross() throws Throwable {
    assertThat(onVertx.await(() -> echo.ofString("ab", 2))).isEqualTo("abab");
    assertThat(onVertx.await(() -> echo.call("1", "2", "3", "4", Optional.of("5"), List.of("6"),
        "7", "8", "9", 10))).isEqualTo("1234Optional[5][6]78910");
    assertThat(onVertx.await(echo::last)).containsExactly(1L);
    assertThat(onVertx.await(echo::yes)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void severalItemsArePlaced(boolean placing) throws Throwable {
    LoopbackCaller other =
        new LoopbackCaller(onVertx.vertx(), binding.service(new EchoService()), placing);
    Echo proxy = other.proxy(Echo.class);
    byte[] head = {'a', 'b', 'c'};
    assertThat(onVertx.await(() -> proxy.join(head, "-", Buffer.buffer("defgh"))))
        .isEqualTo("abc-defgh".getBytes());
    assertThat(onVertx.await(() -> proxy.join(new byte[0], "", Buffer.buffer()))).isEmpty();
    // Whether empty items are placed is the transport's business.
    assertThat(other.placed().stream().filter(p -> p.length() > 0)).hasSize(placing ? 3 : 0);
  }

  @Test
  void boundsHoldOnBothSides() throws Throwable {
    assertThat(onVertx.await(() -> echo.bounded(List.of("ab", "cd")))).isEqualTo("abcd");
    assertThatThrownBy(() -> onVertx.await(() -> echo.bounded(List.of("a", "b", "c"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value has a length of 3, which exceeds its bound of 2");
    assertThatThrownBy(() -> onVertx.await(() -> echo.bounded(List.of("ab", "cde"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the result of Echo.bounded has a length of 5");
  }

  @Test
  void nullElementsAreNamed() {
    assertNamed("an element of value", () -> echo.ofList(Arrays.asList("a", null)));
    Map<String, Short> map = new HashMap<>();
    map.put("k", null);
    assertNamed("a value of value", () -> echo.ofMap(map));
    assertNamed("Tree.next", () -> echo.ofTree(new Tree("", List.of(), null)));
    assertNamed("an element of an element of value",
        () -> echo.ofNested(List.of(Arrays.asList(Optional.of(1), null))));
  }

  private void assertNamed(String name, Supplier<Future<?>> call) {
    assertThatThrownBy(() -> onVertx.await(() -> call.get().mapEmpty()))
        .isInstanceOf(NullPointerException.class).hasMessage(name + " must not be null");
  }

  @Test
  void depthIsBounded() throws Throwable {
    Tree deepest = Tree.chain(256);
    assertThat(onVertx.await(() -> echo.ofTree(deepest))).isEqualTo(deepest);
    assertThatThrownBy(() -> onVertx.await(() -> echo.ofTree(Tree.chain(257))))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("256 deep");
  }

  @Test
  @DisplayName("R-201 R-340: a binding tells how large replies get, and the port")
  void resultsBoundTheReply() throws Throwable {
    onVertx.await(() -> echo.ofLong(1));
    assertThat(caller.lastRequest().replyBound()).as("room for a failure")
        .isEqualTo(ReplyBound.of(784));
    onVertx.await(() -> echo.text(1000));
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.of(4 + 4 + 1000));
    onVertx.await(() -> echo.ofString(""));
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.UNPREDICTABLE);
    assertThat(binding.upperLayerBinding().procedure(0xffffffff).orElseThrow().replyBound())
        .isEqualTo(ReplyBound.of(784));
    assertThat(binding.upperLayerBinding().port()).hasValue(20050);
    assertThatThrownBy(() -> onVertx.await(() -> echo.text(Integer.MAX_VALUE)))
        .isInstanceOf(RpcEncodingException.class).hasMessageContaining("limit");
  }

  @Test
  void collectionsBelongToTheReceiver() throws Throwable {
    Set<Color> set = onVertx.await(() -> echo.ofSet(Set.of(Color.RED)));
    set.add(Color.BLUE);
    assertThat(set).containsExactly(Color.RED, Color.BLUE);
  }
}
