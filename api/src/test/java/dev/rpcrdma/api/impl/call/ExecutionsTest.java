// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServerOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How many calls services have at a time. */
class ExecutionsTest {

  private static final int MOST = 64;
  private static final long LONELY = 100;

  private final Executions executions = new Executions(MOST, LONELY);
  private final Executions.Part part = executions.part(2);

  private static List<Executions.Execution> begin(Executions.Part part, int count) {
    List<Executions.Execution> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(part.begin(0));
    }
    assertThat(all).doesNotContainNull();
    return all;
  }

  /** Fails if an execution that ends twice gives back two. */
  @Test
  @DisplayName("A connection has a sixteenth, or its credits if that is more")
  void ofOneConnection() {
    List<Executions.Execution> four = begin(part, MOST / 16);
    assertThat(part.begin(0)).isNull();
    assertThat(part.here()).isEqualTo(4);
    four.get(0).end();
    four.get(0).end();
    begin(part, 1);
    assertThat(part.begin(0)).isNull();
    begin(executions.part(10), 10);
    assertThat(part.inAll()).isEqualTo(14);
  }

  /** Fails if a connection whose part has room is let in though there is none in all, or keeps what it has not got. */
  @Test
  @DisplayName("All connections together have no more than there may be")
  void inAll() {
    for (int i = 0; i < 15; i++) {
      begin(executions.part(2), 4);
    }
    List<Executions.Execution> last = begin(executions.part(2), 4);
    assertThat(part.begin(0)).isNull();
    assertThat(part.here()).isZero();
    last.get(0).end();
    assertThat(part.begin(0)).isNotNull();
    assertThat(part.begin(0)).isNull();
  }

  /** Fails if those that nobody waits for count for ever, or are forgotten early. */
  @Test
  @DisplayName("An abandoned execution counts for the service timeout, another one until its end")
  void nobodyWaits() {
    List<Executions.Execution> four = begin(part, 4);
    four.get(0).leave(0);
    four.get(1).leave(50);
    assertThat(part.begin(LONELY - 1)).isNull();
    assertThat(part.begin(LONELY)).isNotNull();
    assertThat(part.begin(LONELY)).as("the second has some time left").isNull();
    four.get(0).end();
    four.get(1).end();
    assertThat(part.here()).isEqualTo(3);
    assertThat(part.begin(Long.MAX_VALUE / 2)).isNotNull();
    assertThat(part.begin(Long.MAX_VALUE / 2)).as("those that somebody waits for").isNull();
  }

  /** Fails if one that has ended is still looked at as one that nobody waits for. */
  @Test
  @DisplayName("An execution that ends after, or before, its caller has gone is given back once")
  void endsWhileLeft() {
    List<Executions.Execution> four = begin(part, 4);
    four.get(0).leave(0);
    four.get(0).end();
    four.get(1).end();
    four.get(1).leave(0);
    assertThat(executions.lonely()).as("nothing is kept").isZero();
    begin(part, 2);
    assertThat(part.begin(10 * LONELY)).isNull();
    assertThat(part.inAll()).isEqualTo(4);
  }

  @Test
  @DisplayName("What is not counted is not counted")
  void unbounded() {
    Executions.UNBOUNDED.leave(0);
    Executions.UNBOUNDED.end();
    assertThat(part.inAll()).isZero();
  }

  /** Fails if {@code CallPolicy.protectedBy} begins to count anew. */
  @Test
  @DisplayName("Clients whose calls are protected have the bounds of their server in common")
  void sharedBounds() {
    CallPolicy policy = CallPolicy.of(new RpcServerOptions());
    CallPolicy other = policy.protectedBy((program, version) -> null).watchedBy(null);
    assertThat(other.executions()).isSameAs(policy.executions());
    assertThat(other.verdicts()).isSameAs(policy.verdicts());
  }
}
