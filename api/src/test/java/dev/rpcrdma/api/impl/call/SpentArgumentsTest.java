// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes of calls that have ended are used by later ones, and never by two at a time. */
class SpentArgumentsTest {

  /** More than there are credits: most calls wait for one, and their arguments with them. */
  private static final int AT_A_TIME = 256;
  private static final int ROUNDS = 20;

  private final Random random = new Random(7);
  private int made;
  private int wrong;

  private Future<Void> echo(RpcBed bed) {
    byte[] bytes = new byte[random.nextInt(300)];
    Arrays.fill(bytes, (byte) made++);
    return bed.channel.call(EchoService.echo(bytes)).map(echo -> {
      wrong += Arrays.equals(echo.getBytes(), bytes) ? 0 : 1;
      return null;
    });
  }

  private Future<Void> rounds(RpcBed bed, int left) {
    List<Future<Void>> round = new ArrayList<>();
    for (int i = 0; i < AT_A_TIME; i++) {
      round.add(echo(bed));
    }
    return Future.join(round).compose(done ->
        left == 1 ? Future.succeededFuture() : rounds(bed, left - 1));
  }

  @Test
  void eachCallSendsItsOwn() {
    try (RpcBed bed = new RpcBed("siw")) {
      // Calls are made where their outcomes are, or nothing is used again.
      Waiting.await(bed.channel.connect().compose(up -> rounds(bed, ROUNDS)));
      assertThat(made).isEqualTo(ROUNDS * AT_A_TIME);
      assertThat(wrong).as("calls with the arguments of others").isZero();
    }
  }
}
