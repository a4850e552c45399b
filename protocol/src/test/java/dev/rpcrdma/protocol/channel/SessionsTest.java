package dev.rpcrdma.protocol.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who is remembered, and for how long. */
class SessionsTest {

  private final List<Session> dropped = new ArrayList<>();
  private final Sessions<String> sessions =
      new Sessions<>(2, 100, client -> new ReplyCache(4, 100), dropped::add);

  @Test
  @DisplayName("B-097: clients are told apart, and each is known again")
  void apart() {
    Session first = sessions.enter("first");
    assertThat(sessions.enter("second")).isNotSameAs(first);
    assertThat(sessions.enter("second").id()).isNotEqualTo(first.id());
    sessions.leave(first, 0);
    assertThat(sessions.enter("first")).isSameAs(first);
  }

  @Test
  @DisplayName("A client is forgotten some time after its last connection, and then is another one")
  void time() {
    Session session = sessions.enter("a");
    sessions.enter("a");
    sessions.leave(session, 0);
    assertThat(sessions.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    sessions.leave(session, 10);
    sessions.advance(109);
    assertThat(sessions.knows("a")).isTrue();
    sessions.enter("a");
    sessions.advance(1000);
    assertThat(sessions.knows("a")).isTrue();
    sessions.leave(session, 1000);
    sessions.advance(1100);
    assertThat(dropped).containsExactly(session);
    assertThat(sessions.enter("a").id()).isNotEqualTo(session.id());
  }

  @Test
  @DisplayName("With too many away, the one that left first is forgotten; those that are here are not")
  void bound() {
    Session here = sessions.enter("here");
    for (int i = 0; i < 5; i++) {
      sessions.leave(sessions.enter("away " + i), i);
    }
    assertThat(sessions.knows("here")).isTrue();
    assertThat(sessions.knows("away 2")).isFalse();
    assertThat(sessions.knows("away 3")).isTrue();
    assertThat(sessions.size()).isEqualTo(3);
    sessions.clear();
    assertThat(sessions.size()).isZero();
    assertThat(dropped).hasSize(6);
    // A connection that ends afterwards has nothing to say any more.
    sessions.leave(here, 10);
    assertThat(sessions.nextDeadline()).isEqualTo(Long.MAX_VALUE);
  }
}
