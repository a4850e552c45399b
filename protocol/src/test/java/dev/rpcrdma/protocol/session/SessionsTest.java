// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.responder.IncomingCalls;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who is remembered, and for how long; and that both ends remember or forget together. */
class SessionsTest {

  private static final SessionSettings SETTINGS = new SessionSettings(3, 100, 0, 4, 1000, 2, 100);

  private final Random random = new Random(1);
  private final Deadlines deadlines = new Deadlines();
  private final List<Session> dropped = new ArrayList<>();
  private final Sessions<Object> sessions = new Sessions<>(SETTINGS, deadlines, random, dropped::add);

  /** One that was never connected. */
  private ClientSession client() {
    return new ClientSession(SETTINGS, 4, new Deadlines(), random);
  }

  private Session enter(Object client) {
    return sessions.enter(client, Optional.empty()).orElseThrow();
  }

  private Optional<Session> connect(ClientSession client) {
    SessionBlock hello = client.hello();
    Optional<Session> session = sessions.enter(hello.id(), Optional.of(hello));
    session.ifPresent(met -> meet(client, met));
    return session;
  }

  private static void meet(ClientSession client, Session session) {
    client.met(Optional.of(SessionBlock.ofServer(3, session.id())), channel());
  }

  private static ChannelMachine channel() {
    return new ChannelMachine(new ChannelSettings(Replay.SAFE, 3, 3, 1000, 4000), () -> { },
        new Deadlines(), new Random(1));
  }

  @Test
  @DisplayName("B-097: clients are told apart, and each is known again")
  void apart() {
    Session first = enter("first");
    assertThat(enter("second")).isNotSameAs(first);
    assertThat(enter("second").id()).isNotEqualTo(first.id());
    sessions.leave(first, 0);
    assertThat(enter("first")).isSameAs(first);
  }

  @Test
  @DisplayName("A client is found by whoever asks for it, as long as it is remembered")
  void of() {
    assertThat(sessions.of("first")).isEmpty();
    Session first = enter("first");
    assertThat(sessions.of("first")).contains(first);
    sessions.clear();
    assertThat(sessions.of("first")).isEmpty();
  }

  @Test
  @DisplayName("R-159: clients that show a session are remembered by slots, foreign ones by what they call")
  void caches() {
    assertThat(connect(client()).orElseThrow().calls()).isInstanceOf(SessionCache.class);
    assertThat(enter("foreign").calls()).isInstanceOf(ForeignCache.class);
  }

  @Test
  @DisplayName("What was remembered in a session is forgotten with it, also by who still holds it")
  void oldCaches() {
    ClientSession client = client();
    SessionBlock unheard = client.hello();
    Session session = sessions.enter(unheard.id(), Optional.of(unheard)).orElseThrow();
    DuplicateRequestCache first = session.calls();
    assertThat(first.arrived(IncomingCalls.inline(9, new byte[1]), 0)).isTrue();
    connect(client);
    assertThat(session.calls()).isNotSameAs(first);
    assertThat(first.size()).isZero();
    DuplicateRequestCache second = session.calls();
    assertThat(second.arrived(IncomingCalls.inline(9, new byte[1]), 0)).isTrue();
    sessions.clear();
    assertThat(second.size()).isZero();
  }

  @Test
  @DisplayName("A client is forgotten some time after its last connection, and then is another one")
  void time() {
    Session session = enter("a");
    enter("a");
    sessions.leave(session, 0);
    assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
    sessions.leave(session, 10);
    deadlines.advance(109);
    assertThat(dropped).isEmpty();
    enter("a");
    deadlines.advance(1000);
    assertThat(dropped).isEmpty();
    sessions.leave(session, 1000);
    deadlines.advance(1100);
    assertThat(dropped).containsExactly(session);
    assertThat(enter("a").id()).isNotEqualTo(session.id());
  }

  @Test
  @DisplayName("With too many away, the one that left first is forgotten; those that are here are not")
  void bound() {
    Session here = enter("here");
    List<Session> away = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      away.add(enter("away " + i));
      sessions.leave(away.get(i), i);
    }
    assertThat(dropped).containsExactly(away.get(0), away.get(1), away.get(2));
    assertThat(sessions.size()).isEqualTo(3);
    sessions.clear();
    assertThat(sessions.size()).isZero();
    assertThat(dropped).hasSize(6);
    // A connection that ends afterwards has nothing to say any more.
    sessions.leave(here, 10);
    assertThat(deadlines.next()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  @DisplayName("R-159: a client that comes back with the session that the server has finds all of it")
  void same() {
    ClientSession client = client();
    Session session = connect(client).orElseThrow();
    InstanceId id = session.id();
    DuplicateRequestCache calls = session.calls();
    int held = client.xids().take();
    sessions.leave(session, 0);
    assertThat(connect(client)).contains(session);
    assertThat(session.id()).isEqualTo(id);
    assertThat(session.calls()).isSameAs(calls);
    assertThat(client.xids().inUse()).as("its calls keep their XIDs").isEqualTo(1);
    client.xids().free(held);
  }

  @Test
  @DisplayName("R-159: a server whose client remembers another session forgets as well, in both directions")
  void bothForget() {
    ClientSession client = client();
    Session session = connect(client).orElseThrow();
    InstanceId id = session.id();
    assertThat(session.calls().arrived(IncomingCalls.inline(9, new byte[1]), 0)).isTrue();
    assertThat(client.arrived(IncomingCalls.inline(9, new byte[1]), 0)).isTrue();
    int reverse = session.xids().take();
    // Over at another server of the same address, which draws a session of its own.
    Sessions<Object> other = new Sessions<>(SETTINGS, deadlines, random, dropped::add);
    SessionBlock hello = client.hello();
    Session there = other.enter(hello.id(), Optional.of(hello)).orElseThrow();
    meet(client, there);
    assertThat(client.arrived(IncomingCalls.inline(9, new byte[1]), 0)).as("forgotten").isTrue();
    // And back.
    sessions.leave(session, 0);
    assertThat(connect(client)).contains(session);
    assertThat(session.id()).isNotEqualTo(id);
    assertThat(session.calls().size()).isZero();
    assertThat(session.xids().inUse()).as("XIDs of calls that are over, %d", reverse).isZero();
  }

  @Test
  @DisplayName("A client that has lost its memory, or whose last connection was accepted without its knowing,"
      + " begins anew")
  void clientForgot() {
    ClientSession client = client();
    SessionBlock unheard = client.hello();
    InstanceId first =
        sessions.enter(unheard.id(), Optional.of(unheard)).orElseThrow().id();
    Session session = connect(client).orElseThrow();
    assertThat(session.id()).isNotEqualTo(first);
    // Over to a foreign server and back.
    client.met(Optional.empty(), channel());
    InstanceId second = session.id();
    assertThat(connect(client).orElseThrow().id()).isNotEqualTo(second);
  }

  @Test
  @DisplayName("Connections that arrive in another order than they were begun: only the last one counts")
  void numbers() {
    ClientSession client = client();
    SessionBlock first = client.hello();
    SessionBlock second = client.hello();
    Session session = sessions.enter(second.id(), Optional.of(second)).orElseThrow();
    InstanceId id = session.id();
    assertThat(sessions.enter(first.id(), Optional.of(first))).isEmpty();
    assertThat(sessions.enter(second.id(), Optional.of(second))).as("the same again").isEmpty();
    assertThat(session.id()).as("nothing is forgotten by that").isEqualTo(id);
    meet(client, session);
    assertThat(connect(client)).contains(session);
    assertThat(session.id()).isEqualTo(id);
  }

  @Test
  @DisplayName("Numbers are unsigned: a client may connect for ever")
  void manyNumbers() {
    InstanceId id = new InstanceId(1, 2);
    for (int number : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
      assertThat(sessions.enter(id, Optional.of(new SessionBlock(3, id, Optional.empty(), number))))
          .isPresent();
    }
  }

  @Test
  @DisplayName("B-084: clients, sessions and XIDs begin at random, so that nobody is taken for another one")
  void random() {
    ClientSession one = client();
    ClientSession other = client();
    assertThat(one.hello().id()).isNotEqualTo(other.hello().id());
    connect(one);
    connect(other);
    assertThat(one.xids().take() >>> 3).isNotEqualTo(other.xids().take() >>> 3);
    assertThat(enter("a").xids().take() >>> 1).isNotEqualTo(enter("b").xids().take() >>> 1);
  }

  @Test
  @DisplayName("A server that announces other slots has another memory, whatever its session is called")
  void otherSlots() {
    ClientSession client = client();
    Session session = connect(client).orElseThrow();
    ChannelMachine channel = channel();
    client.met(Optional.of(SessionBlock.ofServer(5, session.id())), channel);
    for (int i = 0; i < 32; i++) {
      assertThat(client.xids().available()).isPositive();
      client.xids().take();
    }
    assertThat(client.xids().available()).isZero();
  }

  /** Fails if {@code Session.remembers} does not look at the slots. */
  @Test
  @DisplayName("R-222: a client that announces other slots has another memory, whatever session it remembers")
  void otherSlotsOfClient() {
    InstanceId id = new InstanceId(1, 2);
    Session session = sessions.enter(id, Optional.of(new SessionBlock(3, id, Optional.empty(), 1))).orElseThrow();
    InstanceId first = session.id();
    sessions.enter(id, Optional.of(new SessionBlock(3, id, Optional.of(first), 2)));
    assertThat(session.id()).isEqualTo(first);
    sessions.enter(id, Optional.of(new SessionBlock(5, id, Optional.of(first), 3)));
    assertThat(session.id()).isNotEqualTo(first);
    assertThat(session.xids().count()).isEqualTo(32);
  }
}
