// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.cluster.AdvertisementOptions;
import dev.rpcrdma.cluster.ClusterAdvertisement;
import dev.rpcrdma.cluster.ClusterServer;
import dev.rpcrdma.cluster.DirectoryOptions;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.fabric.MemoryProvider;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that make themselves known in a map, and a directory that reads it, whatever the map does. */
class AdvertisingTest {

  private static final AdvertisementOptions OPTIONS =
      AdvertisementOptions.DEFAULT.withTtl(Duration.ofMillis(300)).withLeave(Duration.ZERO);

  private final VertxInternal vertx = (VertxInternal) Vertx.vertx();
  private final FakeMap map = new FakeMap();
  private Directory directory;

  private record Bound(UpperLayerBinding binding) implements RpcService {

    static Bound of(int program) {
      return new Bound(new UpperLayerBinding("Ledger", program, 1, OptionalInt.empty(), Map.of()));
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      throw new AssertionError("nobody calls");
    }
  }

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private RpcServer server(String host) {
    RpcServer server = RpcServer.create(vertx, new RpcServerOptions().setProvider(MemoryProvider.NAME))
        .bind(Bound.of(0xf0000001));
    return Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, host)));
  }

  private ClusterAdvertisement publish(RpcServer server, AdvertisementOptions options) {
    return Waiting.await(Advertiser.publish(vertx, server, options, map));
  }

  private void open(Duration refresh) {
    directory = new Directory(vertx.getOrCreateContext(), DirectoryOptions.DEFAULT.withRefresh(refresh),
        map);
  }

  private ServerEntry draining() {
    while (true) {
      ServerEntry next = Waiting.next(map.puts);
      if (next.draining()) {
        return next;
      }
    }
  }

  private boolean lists(ClusterAdvertisement advertisement) {
    Listing known = directory.listing();
    return known != null && known.of(0xf0000001, 1).stream().anyMatch(server ->
        server.key().equals(advertisement.instance()));
  }

  // A server

  /** Fails if {@code Advertiser.beat} does not put again. */
  @Test
  @DisplayName("A server's entry says what it is, and is put again with what is bound since")
  void entry() {
    RpcServer server = server("127.0.0.1");
    ClusterAdvertisement published = publish(server, OPTIONS);
    assertThat(published.isPublished()).isTrue();
    ServerEntry first = Waiting.next(map.puts);
    assertThat(first.sequence()).isEqualTo(1);
    ClusterServer said = first.server();
    assertThat(said.instance()).isEqualTo(published.instance());
    assertThat(said.host()).isEqualTo("127.0.0.1");
    assertThat(said.port()).isEqualTo(server.actualPort());
    assertThat(said.devices()).containsExactly("memory");
    assertThat(said.programs()).singleElement().hasToString("program Ledger (0xf0000001) version 1");
    assertThat(said.calls()).hasValue(0);
    server.bind(Bound.of(2));
    Waiting.until(() -> map.puts.stream().anyMatch(put -> put.server().serves(2, 1) && put.sequence() > 1));
  }

  /** Fails if {@code Advertiser.publish} takes a server that does not listen. */
  @Test
  @DisplayName("Without a host that others can reach, nothing is published, and what to do is said")
  void noHost() {
    RpcServer server = server("0.0.0.0");
    assertThat(Waiting.awaitFailure(Advertiser.publish(vertx, server, OPTIONS, map)))
        .isInstanceOf(IllegalStateException.class).hasMessageContaining("withHost");
    publish(server, OPTIONS.withHost("orders.example.com").withPort(7));
    ServerEntry entry = Waiting.next(map.puts);
    assertThat(entry.server().host() + ":" + entry.server().port()).isEqualTo("orders.example.com:7");
    Waiting.await(server.close());
    assertThat(Waiting.awaitFailure(Advertiser.publish(vertx, server, OPTIONS, map)))
        .isInstanceOf(IllegalStateException.class).hasMessageContaining("listen");
  }

  /** Fails if {@code Advertiser.leave} does not take the entry back, or is not what the server waits for. */
  @Test
  @DisplayName("A server that closes takes itself back first, and removes its entry last")
  void closes() {
    RpcServer server = server("127.0.0.1");
    publish(server, OPTIONS.withLeave(Duration.ofMillis(200)));
    long began = System.nanoTime();
    Future<Void> closed = server.close();
    ServerEntry last = draining();
    assertThat(server.actualPort()).as("it goes on").isPositive();
    Waiting.await(closed);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(190));
    Waiting.until(map.entries::isEmpty);
    assertThat(map.puts.stream().allMatch(put -> put.sequence() < last.sequence())).isTrue();
  }

  /** Fails if {@code Advertiser.attempt} sets no limit. */
  @Test
  @DisplayName("A map that fails, or does not answer, is tried again, and never holds the server up")
  void mapFails() {
    for (FakeMap.Mood mood : List.of(FakeMap.Mood.FAILS, FakeMap.Mood.HANGS)) {
      map.mood = mood;
      RpcServer server = server("127.0.0.1");
      ClusterAdvertisement published = publish(server, OPTIONS);
      assertThat(published.isPublished()).isFalse();
      map.mood = FakeMap.Mood.WORKS;
      Waiting.until(published::isPublished);
      map.mood = mood;
      Waiting.until(() -> !published.isPublished());
      Waiting.await(server.close());
      map.mood = FakeMap.Mood.WORKS;
    }
  }

  /** Fails if {@code Advertiser.takeBack} puts an entry that says nothing of it. */
  @Test
  @DisplayName("Taken back, a server goes on, and is not put again")
  void withdrawn() {
    RpcServer server = server("127.0.0.1");
    open(Duration.ofHours(1));
    ClusterAdvertisement published = publish(server, OPTIONS);
    Waiting.until(() -> lists(published));
    Waiting.await(published.withdraw());
    Waiting.until(() -> !lists(published));
    assertThat(published.isPublished()).isFalse();
    assertThat(server.actualPort()).isPositive();
    assertNotPutAgain();
  }

  private void assertNotPutAgain() {
    ServerEntry last = draining();
    Waiting.await(vertx.timer(150));
    assertThat(map.puts).as("since %s", last).isEmpty();
  }

  /** Fails if {@code Advertiser.beat} does not ask whether the server is leaving. */
  @Test
  @DisplayName("Taken back while it is put, a server is not put again")
  void withdrawnWhilePut() {
    ClusterAdvertisement published = publish(server("127.0.0.1"), OPTIONS);
    map.mood = FakeMap.Mood.HANGS;
    int before = map.puts.size();
    Waiting.until(() -> map.puts.size() > before);
    Future<Void> withdrawn = published.withdraw();
    map.mood = FakeMap.Mood.WORKS;
    Waiting.await(withdrawn);
    assertNotPutAgain();
  }

  /** Fails if the sequence does not go up while nobody reads it. */
  @Test
  @DisplayName("A server that pauses until its entry has gone is listed again when it goes on")
  void pauses() {
    open(Duration.ofMillis(20));
    ClusterAdvertisement published = publish(server("127.0.0.1"), OPTIONS);
    Waiting.until(() -> lists(published));
    map.mood = FakeMap.Mood.LOSES;
    map.entries.clear();
    Waiting.until(() -> !lists(published));
    map.mood = FakeMap.Mood.WORKS;
    Waiting.until(() -> lists(published));
  }

  // A directory

  /** Fails if {@code Directory} does not hear of changes. */
  @Test
  @DisplayName("A change is read at once, and so is the map by who asks")
  void atOnce() {
    open(Duration.ofHours(1));
    Waiting.until(() -> directory.age().isPresent());
    ClusterAdvertisement published = publish(server("127.0.0.1"), OPTIONS);
    Waiting.until(() -> lists(published));
    map.entries.put("other", EntryText.write(ClusterPictureTest.entry("other", 1, false, 7, 1_000_000_000)));
    assertThat(Waiting.await(directory.refresh())).hasSize(2);
    int before = map.readings.get();
    List<Future<?>> asked = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      asked.add(directory.refresh());
    }
    Waiting.await(Future.all(asked));
    // The first may have begun one already when others ask.
    assertThat(map.readings.get()).as("one reading for all who ask").isBetween(before + 1, before + 2);
  }

  /** Fails if {@code Directory.done} takes a failed reading for an empty map. */
  @Test
  @DisplayName("While the map cannot be read, the last picture is used on, and that is told of once")
  void lastPicture() {
    Queue<String> log = log();
    open(Duration.ofMillis(10));
    ClusterAdvertisement published = publish(server("127.0.0.1"), OPTIONS);
    Waiting.until(() -> lists(published));
    map.mood = FakeMap.Mood.FAILS;
    int before = map.readings.get();
    Waiting.until(() -> map.readings.get() > before + 60);
    assertThat(lists(published)).isTrue();
    Waiting.until(() -> !directory.isFresh());
    assertThat(Waiting.awaitFailure(directory.refresh())).hasMessageContaining("on purpose");
    assertThat(log).filteredOn(line -> line.contains("used until it does")).hasSize(1);
    map.entries.clear();
    map.mood = FakeMap.Mood.WORKS;
    Waiting.until(directory::isFresh);
    Waiting.until(() -> lists(published));
    assertThat(log).filteredOn(line -> line.contains("says again")).hasSize(1);
  }

  /** Fails if {@code EntryText} heeds no format, or {@code Directory.use} tells of an entry each time. */
  @Test
  @DisplayName("Entries that cannot be understood, or are newer, are skipped, and told of once")
  void notUnderstood() {
    Queue<String> log = log();
    JsonObject good = new JsonObject(EntryText.write(ClusterPictureTest.entry("a", 1, false, 7, 1_000_000_000)));
    map.entries.put("good", good.copy().put("later", "unknown").encode());
    map.entries.put("newer", good.copy().put("format", 2).encode());
    map.entries.put("text", "{");
    map.entries.put("number", 7);
    map.entries.put("port", good.copy().put("port", 70000).encode());
    map.entries.put("host", good.copy().put("host", "").encode());
    map.entries.put("programs", good.copy().put("programs", "none").encode());
    map.entries.put("calls", good.copy().put("calls", -1).encode());
    good.fieldNames().stream().filter(key -> !key.equals("calls")).forEach(key -> {
      JsonObject less = good.copy();
      less.remove(key);
      map.entries.put("no " + key, less.encode());
    });
    open(Duration.ofMillis(10));
    Waiting.until(() -> map.readings.get() > 5);
    assertThat(directory.servers()).extracting(ClusterServer::instance).containsExactly("good");
    assertThat(log).hasSize(map.entries.size() - 1).allMatch(line -> line.contains("is skipped"));
    assertThat(log).anyMatch(line -> line.contains("newer") && line.contains("format is 2"));
  }

  /** Fails if {@code EntryText} writes no calls, or does without none. */
  @Test
  @DisplayName("An entry says how many calls there are, and one of an earlier release does not")
  void calls() {
    JsonObject entry = new JsonObject(EntryText.write(ClusterPictureTest.entry("a", 1, false, 7, 1_000_000_000)));
    assertThat(EntryText.read("a", entry.encode()).server().calls()).hasValue(3);
    entry.remove("calls");
    ServerEntry earlier = EntryText.read("a", entry.encode());
    assertThat(earlier.server().calls()).isEmpty();
    assertThat(new JsonObject(EntryText.write(earlier))).isEqualTo(entry);
  }

  private final Handler handler = new Handler() {
    @Override
    public void publish(LogRecord record) {
      lines.add(record.getMessage());
    }

    @Override
    public void flush() {
      // Nothing is held back.
    }

    @Override
    public void close() {
      // It holds nothing.
    }
  };
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  /** Held, or it would be forgotten with its handler. */
  private final Logger logger = Logger.getLogger(Directory.class.getName());

  private Queue<String> log() {
    logger.addHandler(handler);
    return lines;
  }

  @AfterEach
  void removeHandler() {
    logger.removeHandler(handler);
  }
}
