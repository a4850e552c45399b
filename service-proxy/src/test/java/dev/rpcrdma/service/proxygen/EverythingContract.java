// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What callers of a service of the event bus rely on, whatever carries their calls. */
abstract class EverythingContract {

  protected final Vertx vertx = Vertx.vertx();
  protected final EverythingImpl service = new EverythingImpl();
  private Everything proxy;

  /** Serves, and gives a proxy of it. */
  protected abstract Everything open(Everything implementation);

  /** Ends what was opened. */
  protected abstract Future<Void> end();

  @BeforeEach
  void open() {
    proxy = open(service);
  }

  @AfterEach
  void close() {
    Waiting.await(end());
    Waiting.await(vertx.close());
  }

  protected final Everything proxy() {
    return proxy;
  }

  private void assertHeard(Object... all) {
    assertThat(Waiting.next(service.heard)).isEqualTo(Arrays.asList(all));
  }

  private static <T> void assertEchoed(Function<T, Future<T>> method, T value) {
    assertThat(Waiting.await(method.apply(value))).isEqualTo(value);
    assertThat(Waiting.await(method.apply(null))).isNull();
  }

  @Test
  @DisplayName("Values come back as they were, and null as null")
  void values() {
    assertEchoed(proxy::string, "a text with a \u20ac");
    assertEchoed(proxy::byteValue, Byte.MIN_VALUE);
    assertEchoed(proxy::shortValue, Short.MIN_VALUE);
    assertEchoed(proxy::intValue, Integer.MIN_VALUE);
    assertEchoed(proxy::longValue, Long.MIN_VALUE);
    assertEchoed(proxy::floatValue, 1.25f);
    assertEchoed(proxy::doubleValue, Double.MIN_VALUE);
    assertEchoed(proxy::charValue, '\uffee');
    assertEchoed(proxy::booleanValue, true);
    assertEchoed(proxy::jsonObject, new JsonObject().put("a", 1).put("b", new JsonArray().add("c")).putNull("d"));
    assertEchoed(proxy::jsonArray, new JsonArray().add(1).add("x").addNull());
    assertEchoed(proxy::mood, Mood.WILD);
    assertEchoed(proxy::options, new Options().setName("n").setNumber(-3));
    assertThat(Waiting.await(proxy.nothing())).isNull();
  }

  @Test
  @DisplayName("Buffers of any size come back")
  void buffers() {
    for (int length : new int[] {0, 1, 3, 5000, 200_000, 2_000_000}) {
      byte[] bytes = new byte[length];
      new Random(length).nextBytes(bytes);
      assertEchoed(proxy::bufferValue, Buffer.buffer(bytes));
    }
  }

  @Test
  @DisplayName("Collections come back, with null in lists")
  void collections() {
    assertThat(Waiting.await(proxy.listOfStrings(Arrays.asList("a", null, "b")))).containsExactly("a", null, "b");
    assertThat(Waiting.await(proxy.listOfStrings(List.of()))).isEmpty();
    assertThat(Waiting.await(proxy.listOfChars("ab"))).containsExactly('a', 'b');
    List<Options> options = List.of(new Options().setName("1"), new Options().setNumber(2));
    assertThat(Waiting.await(proxy.listOfOptions(options))).isEqualTo(options);
    // Those that are no int: from the event bus's own proxies the others come as Integer, where JSON is text between.
    assertThat(Waiting.await(proxy.setOfLongs(Set.of(1L << 40, Long.MAX_VALUE)))).containsExactlyInAnyOrder(1L << 40,
        Long.MAX_VALUE);
    assertThat(Waiting.await(proxy.setOfObjects(Set.of(new JsonObject().put("a", 1)))))
        .containsExactly(new JsonObject().put("a", 1));
  }

  @Test
  @DisplayName("Arguments of methods that return nothing arrive")
  void oneWay() {
    proxy.noParameters();
    assertHeard("noParameters");
    proxy.basics("s", (byte) 1, (short) 2, 3, 4L, 5.5f, 6.5, 'c', true);
    assertHeard("basics", "s", (byte) 1, (short) 2, 3, 4L, 5.5f, 6.5, 'c', true);
    proxy.boxed("s", (byte) 1, (short) 2, 3, 4L, 5.5f, 6.5, 'c', false);
    assertHeard("boxed", "s", (byte) 1, (short) 2, 3, 4L, 5.5f, 6.5, 'c', false);
    proxy.boxed(null, null, null, null, null, null, null, null, null);
    assertHeard("boxed", null, null, null, null, null, null, null, null, null);
    proxy.json(new JsonObject().put("k", "v"), new JsonArray().add("e"));
    assertHeard("json", new JsonObject().put("k", "v"), new JsonArray().add("e"));
    proxy.json(null, null);
    assertHeard("json", null, null);
    proxy.buffer(Buffer.buffer("bytes"));
    assertHeard("buffer", Buffer.buffer("bytes"));
    proxy.enumeration(Mood.BAD);
    assertHeard("enumeration", Mood.BAD);
    proxy.enumeration(null);
    assertHeard("enumeration", (Object) null);
    proxy.dataObject(new Options().setName("o"));
    assertHeard("dataObject", new Options().setName("o"));
    proxy.dataObject(null);
    assertHeard("dataObject", (Object) null);
  }

  @Test
  @DisplayName("Collections in arguments arrive")
  void containers() {
    JsonObject object = new JsonObject().put("a", 1);
    JsonArray array = new JsonArray().add(2);
    Options options = new Options().setName("o").setNumber(1);
    proxy.lists(List.of("a", "b"), List.of((byte) 1), List.of((short) 2), List.of(3), List.of(4L), List.of(object),
        List.of(array), List.of(options));
    assertHeard("lists", List.of("a", "b"), List.of((byte) 1), List.of((short) 2), List.of(3), List.of(4L),
        List.of(object), List.of(array), List.of(options));
    proxy.sets(Set.of("a"), Set.of((byte) 1), Set.of((short) 2), Set.of(3), Set.of(4L), Set.of(object),
        Set.of(array), Set.of(options));
    assertHeard("sets", Set.of("a"), Set.of((byte) 1), Set.of((short) 2), Set.of(3), Set.of(4L), Set.of(object),
        Set.of(array), Set.of(options));
    proxy.maps(Map.of("a", "b"), Map.of("b", (byte) 1), Map.of("c", (short) 2), new HashMap<>(Map.of("d", 3)),
        Map.of("e", 4L), Map.of("f", object), Map.of("g", array));
    assertHeard("maps", Map.of("a", "b"), Map.of("b", (byte) 1), Map.of("c", (short) 2), Map.of("d", 3),
        Map.of("e", 4L), Map.of("f", object), Map.of("g", array));
  }

  @Test
  @DisplayName("A fluent method returns its proxy; an ignored one calls nothing")
  void fluent() {
    assertThat(proxy.fluent("one")).isSameAs(proxy);
    assertHeard("fluent", "one");
    proxy.ignored();
    proxy.fluent("two").fluent("three");
    assertHeard("fluent", "two");
    assertHeard("fluent", "three");
  }

  @Test
  @DisplayName("Failures arrive with code, message and debug info, whatever the service failed with")
  void failures() {
    Throwable refused = Waiting.awaitFailure(proxy.fail("service"));
    assertThat(refused).isInstanceOf(ServiceException.class).hasMessage("refused");
    assertThat(((ServiceException) refused).failureCode()).isEqualTo(30);
    assertThat(((ServiceException) refused).getDebugInfo()).isEqualTo(new JsonObject().put("why", "because"));
    assertFailure("other", -1, "odd");
    assertFailure("thrown", 500, "thrown");
    assertThat(Waiting.awaitFailure(proxy.fail("without message"))).isInstanceOf(ServiceException.class);
    assertThat(Waiting.await(proxy.fail("not"))).isEqualTo("not");
  }

  private void assertFailure(String how, int code, String message) {
    Throwable failure = Waiting.awaitFailure(proxy.fail(how));
    assertThat(failure).isInstanceOf(ServiceException.class).hasMessage(message);
    assertThat(((ServiceException) failure).failureCode()).isEqualTo(code);
  }

  @Test
  @DisplayName("Objects that calls make are called by proxies of their own, until they are closed")
  void objects() {
    Session session = Waiting.await(proxy.connect("a"));
    Session other = Waiting.await(proxy.connect("b"));
    assertThat(Waiting.await(session.begin())).isEqualTo("a begun");
    assertThat(Waiting.await(other.begin())).isEqualTo("b begun");
    assertThat(Waiting.await(session.insert("k", new JsonObject().put("x", 1)))).isEqualTo("a: k={\"x\":1}");
    assertThat(session.note("1").note("2")).isSameAs(session);
    assertThat(Waiting.await(session.notes())).isEqualTo("1,2");
    Session inner = Waiting.await(session.nested("i"));
    assertThat(Waiting.await(inner.begin())).isEqualTo("a/i begun");
    Waiting.await(session.close());
    assertThat(Waiting.next(service.closed)).isEqualTo("a");
    assertThat(Waiting.awaitFailure(session.begin())).hasMessage("Proxy is closed");
    assertThatThrownBy(() -> session.note("3")).isInstanceOf(IllegalStateException.class);
    assertThat(Waiting.await(inner.begin())).isEqualTo("a/i begun");
    Waiting.await(other.close());
    assertThat(Waiting.next(service.closed)).isEqualTo("b");
  }
}
