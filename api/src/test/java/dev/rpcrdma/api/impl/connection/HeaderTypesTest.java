// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.HeaderType;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcClosedException;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.RpcTransportException;
import dev.rpcrdma.api.RpcUnsupportedException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** OPTIONAL header types of an application, between our own clients and servers. */
class HeaderTypesTest {

  /** More than half of the numbers are negative in Java. */
  private static final int NUMBER = 0x90000001;
  private static final String NAME = "header type 2415919105";
  private static final Buffer BODY = Buffer.buffer("twelve bytes");
  /** Bytes less than the longest message. */
  private static final int HEADER = 16;
  /** More than there are Receives. */
  private static final int MANY = 20;

  private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
  private final Appending type = new Appending();
  private volatile Thread loop;
  private RpcBed bed;

  /** Answers a body with one byte more, and does worse when told to. */
  private static final class Appending implements HeaderType {

    final List<Buffer> bodies = new CopyOnWriteArrayList<>();
    volatile RpcConnection from;
    volatile Context context;
    volatile Thread thread;

    @Override
    public int number() {
      return NUMBER;
    }

    @Override
    public Buffer received(RpcConnection connection, Buffer body) {
      from = connection;
      context = Vertx.currentContext();
      thread = Thread.currentThread();
      bodies.add(body);
      switch (body.toString()) {
        case "not understood":
          throw new IllegalArgumentException("not understood, on purpose");
        case "fault in here":
          throw new IllegalStateException("thrown by the header type, on purpose");
        case "error in here":
          throw new NoClassDefFoundError("thrown by the header type, on purpose");
        case "no answer at all":
          return null;
        case "too long an answer":
          return Buffer.buffer(new byte[RpcOptions.DEFAULT_INLINE_SIZE - HEADER + 1]);
        default:
          return body.copy().appendByte((byte) '!');
      }
    }
  }

  @BeforeEach
  void open() {
    bed = new RpcBed(
        new RpcServerOptions().setProvider("siw").setForwardCredits(4).setReverseCredits(2),
        new RpcClientOptions().setProvider("siw"));
    bed.server.connectionHandler(connection -> {
      loop = Thread.currentThread();
      accepted.add(connection);
    });
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private RpcConnection connect() {
    return Waiting.await(bed.channel.connect());
  }

  private static String exchange(RpcConnection connection, String body) {
    return Waiting.await(connection.exchange(NUMBER, Buffer.buffer(body))).toString();
  }

  private static Throwable refusal(RpcConnection connection, String body) {
    return Waiting.awaitFailure(connection.exchange(NUMBER, Buffer.buffer(body)));
  }

  @Test
  @DisplayName("R-303 R-310: a server serves a registered type on the loop of its connection")
  void clientToServer() {
    bed.server.register(type);
    RpcConnection connection = connect();
    assertThat(exchange(connection, "twelve bytes")).isEqualTo("twelve bytes!");
    RpcConnection served = Waiting.next(accepted);
    assertThat(type.from).isSameAs(served);
    assertThat(type.thread).isSameAs(loop);
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    int longest = RpcOptions.DEFAULT_INLINE_SIZE - HEADER - 1;
    assertThat(exchange(connection, "x".repeat(longest))).hasSize(longest + 1);
  }

  @Test
  @DisplayName("R-303: bodies are the application's to keep, at both ends")
  void copies() {
    bed.server.register(type);
    RpcConnection connection = connect();
    Buffer sent = Buffer.buffer("message number 1000");
    CountDownLatch changed = new CountDownLatch(1);
    // The loop does not get to the message before it has been changed.
    connection.snapshot().onComplete(busy -> Waiting.await(changed));
    Future<Buffer> first = connection.exchange(NUMBER, sent);
    sent.setString(0, "something else     ");
    changed.countDown();
    Buffer answer = Waiting.await(first);
    for (int i = 1001; i < 1000 + MANY; i++) {
      assertThat(exchange(connection, "message number " + i)).endsWith(i + "!");
    }
    assertThat(answer).hasToString("message number 1000!");
    assertThat(type.bodies.get(0)).hasToString("message number 1000");
  }

  @Test
  @DisplayName("R-223 R-303: a client announces what it has registered, and serves it to the server")
  void serverToClient() {
    bed.client.register(type);
    connect();
    RpcConnection toClient = Waiting.next(accepted);
    assertThat(exchange(toClient, "twelve bytes")).isEqualTo("twelve bytes!");
    // What is announced later comes beside it.
    bed.channel.bind(new EchoService());
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    Waiting.await(toClient.call(EchoService.echo(new byte[1])));
    assertThat(exchange(toClient, "twelve bytes")).isEqualTo("twelve bytes!");
  }

  @Test
  @DisplayName("R-224: a client that has announced no type is sent none, and called as ever")
  void notAnnounced() {
    VerbsBed verbs = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
    RawClient client = new RawClient(verbs, bed.address());
    RpcConnection toClient = Waiting.next(accepted);
    assertThat(Waiting.awaitFailure(toClient.exchange(NUMBER, BODY)))
        .isInstanceOf(RpcUnsupportedException.class).hasMessageContaining("has not announced")
        .hasMessageContaining(NAME);
    client.send("00000001 00000001 00000010 00000000 00000000 00000000 00000000 00000001 00000000"
        + "00000002 20060099 00000001 00000000 00000000 00000000 00000000 00000000");
    // The first that comes to it is the answer to its own call.
    assertThat(client.answer()).startsWith("00000001 00000001 00000004 00000000");
    verbs.close();
  }

  @Test
  @DisplayName("R-304: unless it is registered no type is served, and the sender learns that")
  void offByDefault() {
    RpcConnection connection = connect();
    assertThat(refusal(connection, "twelve bytes")).isInstanceOf(RpcUnsupportedException.class)
        .hasMessageContaining(NAME).hasMessageContaining("found out by trying");
    Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("R-304: also for the shortest body, which a server must not take for a fragment")
  void shortest() {
    RpcConnection connection = connect();
    assertThat(Waiting.awaitFailure(connection.exchange(7, Buffer.buffer(new byte[HeaderType.MIN_LENGTH]))))
        .isInstanceOf(RpcUnsupportedException.class);
    assertThatThrownBy(() -> connection.exchange(7,
        Buffer.buffer(new byte[HeaderType.MIN_LENGTH - 1])))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("shorter than 12");
  }

  @Test
  @DisplayName("R-307: what was found out is forgotten with the connection; types are of those to come")
  void nextConnection() {
    RpcConnection first = connect();
    assertThat(refusal(first, "twelve bytes")).isInstanceOf(RpcUnsupportedException.class);
    bed.server.register(type);
    assertThat(refusal(first, "twelve bytes")).isInstanceOf(RpcUnsupportedException.class);
    Waiting.await(first.close());
    assertThat(exchange(connect(), "twelve bytes")).isEqualTo("twelve bytes!");
  }

  @Test
  @DisplayName("R-305: a body that is not understood fails alone, once the type is known")
  void notUnderstood() {
    bed.server.register(type);
    RpcConnection connection = connect();
    exchange(connection, "twelve bytes");
    assertThat(refusal(connection, "not understood")).isInstanceOf(RpcTransportException.class)
        .hasMessageContaining(NAME);
    assertThat(exchange(connection, "twelve bytes")).isEqualTo("twelve bytes!");
  }

  @Test
  @DisplayName("R-305: the first one refused means that the type is not known, whatever the reason")
  void firstNotUnderstood() {
    bed.server.register(type);
    RpcConnection connection = connect();
    assertThat(refusal(connection, "not understood")).isInstanceOf(RpcUnsupportedException.class);
    assertThat(refusal(connection, "twelve bytes")).isInstanceOf(RpcUnsupportedException.class);
    assertThat(type.bodies).hasSize(1);
  }

  @Test
  @DisplayName("R-320: a type that fails is answered for, and costs neither connection nor Receives")
  void failing() {
    bed.server.register(type);
    RpcConnection connection = connect();
    exchange(connection, "twelve bytes");
    for (String body : List.of("fault in here", "error in here", "no answer at all",
        "too long an answer")) {
      List<Future<Buffer>> all = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        all.add(connection.exchange(NUMBER, Buffer.buffer(body)));
      }
      all.forEach(one ->
          assertThat(Waiting.awaitFailure(one)).isInstanceOf(RpcTransportException.class));
    }
    assertThat(exchange(connection, "twelve bytes")).isEqualTo("twelve bytes!");
    Waiting.await(connection.call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("R-043: a body longer than the peer's Receives fails, and tells how long it may be")
  void tooLong() {
    bed.server.register(type);
    RpcConnection connection = connect();
    int longest = Waiting.await(connection.snapshot()).agreed().outboundInline() - HEADER;
    assertThat(refusal(connection, "x".repeat(longest + 1)))
        .isInstanceOf(RpcTransportException.class).hasMessageContaining("the " + longest + " that");
    assertThat(type.bodies).isEmpty();
  }

  @Test
  @DisplayName("An answer comes on the sender's context")
  void callersContext() {
    bed.server.register(type);
    RpcConnection connection = connect();
    Context context = bed.vertx.getOrCreateContext();
    Promise<Context> completedOn = Promise.promise();
    context.runOnContext(start -> connection.exchange(NUMBER, BODY)
        .onComplete(done -> completedOn.complete(Vertx.currentContext())));
    assertThat(Waiting.await(completedOn.future())).isSameAs(context);
    // And from inside of what an answer starts.
    Promise<Buffer> nested = Promise.promise();
    context.runOnContext(start -> connection.exchange(NUMBER, BODY)
        .compose(first -> connection.exchange(NUMBER, first)).onComplete(nested));
    assertThat(Waiting.await(nested.future())).hasToString("twelve bytes!!");
  }

  @Test
  @DisplayName("R-320: each message is served on a context of its own, so that no locals leak")
  void contextOfItsOwn() {
    bed.server.register(type);
    RpcConnection connection = connect();
    exchange(connection, "twelve bytes");
    Context first = type.context;
    exchange(connection, "twelve bytes");
    assertThat(type.context).isNotSameAs(first);
  }

  @Test
  @DisplayName("A closed connection fails what is sent over it")
  void closed() {
    bed.server.register(type);
    bed.client.register(type);
    RpcConnection connection = connect();
    RpcConnection toClient = Waiting.next(accepted);
    exchange(connection, "twelve bytes");
    Future<Void> closing = connection.close();
    assertThat(refusal(connection, "twelve bytes")).isInstanceOf(RpcClosedException.class);
    Waiting.await(closing);
    assertThat(refusal(connection, "twelve bytes")).isInstanceOf(RpcClosedException.class);
    Waiting.await(toClient.closeFuture());
    assertThat(refusal(toClient, "twelve bytes")).isInstanceOf(RpcClosedException.class);
  }

  /** Fails if {@code HeaderExtension.checkProcedure} lets a number of version 1 through. */
  @Test
  @DisplayName("R-310: numbers of version 1 are not taken, and none is taken twice")
  void numbers() {
    bed.server.register(type);
    bed.client.register(type);
    assertThatThrownBy(() -> bed.server.register(type))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("registered already");
    assertThatThrownBy(() -> bed.client.register(new Appending()))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("registered already");
    RpcConnection connection = connect();
    for (int number = 0; number <= 4; number++) {
      int own = number;
      HeaderType taken = new HeaderType() {
        @Override
        public int number() {
          return own;
        }

        @Override
        public Buffer received(RpcConnection from, Buffer body) {
          return body;
        }
      };
      assertThatThrownBy(() -> bed.server.register(taken))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("version 1's own");
      assertThatThrownBy(() -> bed.client.register(taken))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("version 1's own");
      assertThatThrownBy(() -> connection.exchange(own, BODY))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("version 1's own");
    }
  }
}
