package dev.rpcrdma.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes of calls that have ended are used by later ones, and never by two at a time. */
class SpentArgumentsTest {

  /** More than there are credits: most calls wait for one, and their arguments with them. */
  private static final int OUTSTANDING = 256;
  private static final int CALLS = 5_000;

  private final Random random = new Random(7);
  private int begun;
  private int ended;

  private void next(RpcBed bed, Promise<Void> done) {
    if (begun == CALLS) {
      return;
    }
    byte[] bytes = new byte[random.nextInt(300)];
    Arrays.fill(bytes, (byte) begun++);
    bed.channel.call(EchoService.echo(bytes)).onComplete((echo, failure) -> {
      if (failure != null) {
        done.tryFail(failure);
      } else if (!Arrays.equals(echo.getBytes(), bytes)) {
        done.tryFail(new AssertionError(Arrays.toString(bytes) + " came back as "
            + Arrays.toString(echo.getBytes())));
      } else if (++ended == CALLS) {
        done.tryComplete();
      } else {
        next(bed, done);
      }
    });
  }

  @Test
  void eachCallSendsItsOwn() {
    try (RpcBed bed = new RpcBed("siw")) {
      Promise<Void> done = Promise.promise();
      bed.vertx.getOrCreateContext().runOnContext(go -> {
        for (int i = 0; i < OUTSTANDING; i++) {
          next(bed, done);
        }
      });
      Await.success(done.future());
      assertThat(ended).isEqualTo(CALLS);
    }
  }
}
