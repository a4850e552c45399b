// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcEncodingException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.service.fixture.BlobEvents;
import dev.rpcrdma.service.fixture.BlobInfo;
import dev.rpcrdma.service.fixture.BlobStore;
import dev.rpcrdma.service.fixture.BlobStoreRpcProxy;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The story of the manual: a store of blobs, end to end without a network. */
class BlobStoreTest {

  private final OnVertx onVertx = new OnVertx();
  private final Store store = new Store();
  private final ServiceBinding<BlobStore> binding = ServiceBinding.of(BlobStore.class);
  private LoopbackCaller caller;

  @AfterEach
  void close() throws Exception {
    onVertx.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void putsAndGetsAPayload(boolean placing) throws Throwable {
    BlobStore blobs = proxy(placing);
    Payload content = Payload.copyOf(onVertx.vertx(), Buffer.buffer("seven b"));

    assertThat(onVertx.await(() -> blobs.put("k", content))).isEqualTo(7);
    content.release();
    assertThat(store.lastContent).as("the argument outlives the call").matches(p -> released(p));

    Payload target = Payload.allocate(onVertx.vertx(), 32);
    Payload got = onVertx.await(() -> blobs.get("k", target));
    assertThat(got.toBuffer()).isEqualTo(Buffer.buffer("seven b"));
    assertThat(store.lastTarget).isSameAs(NoTarget.PAYLOAD);
    target.bytes().put(0, (byte) 'S');
    assertThat(got.toBuffer()).as("the target's memory").isEqualTo(Buffer.buffer("Seven b"));

    target.release();
    assertThat(released(got)).as("the result has an owner of its own").isFalse();
    got.release();
    assertThat(released(got)).isTrue();
    assertThat(caller.placed()).allMatch(BlobStoreTest::released).hasSize(placing ? 2 : 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anErrorEndsTheArgumentsAsAnExceptionDoes(boolean placing) {
    BlobStore blobs = proxy(placing);
    store.broken = true;
    Payload content = Payload.copyOf(onVertx.vertx(), Buffer.buffer("seven b"));
    assertThatThrownBy(() -> onVertx.await(() -> blobs.put("k", content)))
        .isInstanceOf(NoClassDefFoundError.class);
    assertThat(store.lastContent).matches(BlobStoreTest::released);
    content.release();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readsABuffer(boolean placing) throws Throwable {
    BlobStore blobs = proxy(placing);
    store.blobs.put("k", Buffer.buffer("0123456789"));
    assertThat(onVertx.await(() -> blobs.read("k", 2, 3))).isEqualTo(Buffer.buffer("234"));
    assertThat(onVertx.await(() -> blobs.read("k", 0, 0))).isEqualTo(Buffer.buffer());
    assertThat(caller.placed()).allMatch(BlobStoreTest::released);
  }

  @Test
  void listsRecords() throws Throwable {
    BlobStore blobs = proxy(false);
    assertThat(onVertx.await(() -> blobs.list(""))).isEmpty();
    store.blobs.put("straße", Buffer.buffer("ab"));
    store.blobs.put("𝄞", Buffer.buffer());
    assertThat(onVertx.await(() -> blobs.list(""))).containsExactly(
        new BlobInfo("straße", 2, Buffer.buffer("ab")), new BlobInfo("𝄞", 0, Buffer.buffer()));
  }

  @Test
  void hasThisWireForm() throws Throwable {
    BlobStore blobs = proxy(true);
    store.blobs.put("key", Buffer.buffer("value"));
    onVertx.await(() -> blobs.put("a", Payload.copyOf(onVertx.vertx(), Buffer.buffer("bcdef"))));
    assertThat(Samples.hex(caller.lastCall()))
        .isEqualTo("00000001 61000000 00000005 62636465 66000000");
    assertThat(Samples.hex(caller.lastReply())).isEqualTo("00000000 00000000 00000005");

    onVertx.await(() -> blobs.get("key", Payload.allocate(onVertx.vertx(), 8)));
    assertThat(Samples.hex(caller.lastCall())).as("the target is not sent")
        .isEqualTo("00000003 6b657900");
    assertThat(Samples.hex(caller.lastReply())).isEqualTo("00000000 00000005 76616c75 65000000");

    onVertx.await(() -> blobs.read("key", 0x0102030405L, 7));
    assertThat(Samples.hex(caller.lastCall()))
        .isEqualTo("00000003 6b657900 00000001 02030405 00000007");
    onVertx.await(() -> blobs.list("k"));
    assertThat(Samples.hex(caller.lastReply())).isEqualTo("00000000 00000001"
        + " 00000003 6b657900 00000000 00000005 00000005 76616c75 65000000");
  }

  @Test
  void hasThisWireFormOfFailures() {
    BlobStore blobs = proxy(false);
    assertThatThrownBy(() -> onVertx.await(() -> blobs.get("none",
        Payload.allocate(onVertx.vertx(), 8))))
        .isInstanceOfSatisfying(ServiceException.class, e -> {
          assertThat(e.failureCode()).isEqualTo(404);
          assertThat(e).hasMessage("no none");
          assertThat(e.getDebugInfo().getString("k")).isEqualTo("none");
        });
    assertThat(Samples.hex(caller.lastReply())).isEqualTo("00000001 00000194"
        + " 00000007 6e6f206e 6f6e6500"
        + " 0000000c 7b226b22 3a226e6f 6e65227d");
  }

  @Test
  void makesRoomForResults() throws Throwable {
    BlobStore blobs = proxy(false);
    store.blobs.put("k", Buffer.buffer("v"));
    Payload target = Payload.allocate(onVertx.vertx(), 8);
    onVertx.await(() -> blobs.get("k", target));
    assertThat(caller.lastRequest().placedResults())
        .containsExactly(new RpcRequest.PlacedResult(8, Optional.of(target)));
    onVertx.await(() -> blobs.read("k", 0, 9));
    assertThat(caller.lastRequest().placedResults())
        .containsExactly(new RpcRequest.PlacedResult(9, Optional.empty()));
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.of(784));
    onVertx.await(() -> blobs.list(""));
    assertThat(caller.lastRequest().placedResults()).isEmpty();
    assertThat(caller.lastRequest().replyBound()).isEqualTo(ReplyBound.UNPREDICTABLE);
  }

  /** Fails if {@code ProxyCall.making} gives what it catches as it is. */
  @Test
  void refusesWrongArgumentsWithoutACall() {
    BlobStore blobs = proxy(false);
    Payload payload = Payload.allocate(onVertx.vertx(), 1);
    assertThatThrownBy(() -> onVertx.await(() -> blobs.put(null, payload)))
        .isInstanceOf(NullPointerException.class).hasMessage("name must not be null");
    assertThatThrownBy(() -> onVertx.await(() -> blobs.put("", null)))
        .isInstanceOf(NullPointerException.class).hasMessage("content must not be null");
    assertThatThrownBy(() -> onVertx.await(() -> blobs.get("", null)))
        .isInstanceOf(RpcEncodingException.class)
        .hasMessage("The arguments of BlobStore.get cannot be sent: target must not be null");
    assertThatThrownBy(() -> onVertx.await(() -> blobs.read("", 0, -1)))
        .isInstanceOf(RpcEncodingException.class).hasMessage("The arguments of BlobStore.read cannot be sent: length"
            + " bounds the result and is -1, not 0 to 2147483631");
    assertThatThrownBy(() -> onVertx.await(() -> blobs.list("\ud834")))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("prefix");
    assertThat(store.calls).isZero();
  }

  @Test
  void describesItsUseOfRdma() {
    assertThat(binding.upperLayerBinding()).isEqualTo(new UpperLayerBinding("BlobStore", 0x20060001, 1,
        OptionalInt.empty(), Map.of(
            1, new ProcedureBinding("put", 1, 0, ReplyBound.of(784)),
            2, new ProcedureBinding("get", 0, 1, ReplyBound.of(784)),
            3, new ProcedureBinding("read", 0, 1, ReplyBound.of(784)),
            4, new ProcedureBinding("list", 0, 0, ReplyBound.UNPREDICTABLE).asReadOnly())));
    assertThat(binding.callback()).contains(BlobEvents.class);
    assertThat(ServiceBinding.of(BlobEvents.class).callback()).isEmpty();
  }

  @Test
  void changesOptionsOfAProxy() throws Throwable {
    BlobStore blobs = proxy(false);
    CallOptions options = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(5));
    onVertx.await(() -> BlobStoreRpcProxy.with(blobs, options).list(""));
    assertThat(caller.lastRequest().options()).isEqualTo(options);
    onVertx.await(() -> blobs.list(""));
    assertThat(caller.lastRequest().options()).isEqualTo(CallOptions.DEFAULT);
    assertThatThrownBy(() -> BlobStoreRpcProxy.with(store, options))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private BlobStore proxy(boolean placing) {
    caller = new LoopbackCaller(onVertx.vertx(), binding.service(store), placing);
    return caller.proxy(BlobStore.class);
  }

  private static boolean released(Payload payload) {
    try {
      payload.bytes();
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private final class Store implements BlobStore {

    private final Map<String, Buffer> blobs = new TreeMap<>();
    private Payload lastContent;
    private Payload lastTarget;
    private int calls;
    private boolean broken;

    @Override
    public Future<Long> put(String name, Payload content) {
      calls++;
      lastContent = content;
      if (broken) {
        throw new NoClassDefFoundError("on purpose");
      }
      blobs.put(name, content.toBuffer());
      return Future.succeededFuture((long) content.length());
    }

    @Override
    public Future<Payload> get(String name, Payload target) {
      calls++;
      lastTarget = target;
      return blobs.containsKey(name)
          ? Future.succeededFuture(Payload.copyOf(onVertx.vertx(), blobs.get(name)))
          : ServiceException.fail(404, "no " + name,
              new JsonObject().put("k", name));
    }

    @Override
    public Future<Buffer> read(String name, long offset, int length) {
      calls++;
      Buffer blob = blobs.get(name);
      int from = (int) Math.min(offset, blob.length());
      return Future.succeededFuture(blob.slice(from, Math.min(from + length, blob.length())));
    }

    @Override
    public Future<List<BlobInfo>> list(String prefix) {
      calls++;
      return Future.succeededFuture(blobs.entrySet().stream()
          .filter(e -> e.getKey().startsWith(prefix))
          .map(e -> new BlobInfo(e.getKey(), e.getValue().length(), e.getValue())).toList());
    }
  }
}
