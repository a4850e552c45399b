// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.FaultPlan;
import dev.rpcrdma.testkit.FaultPlan.Step;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls of every form while the n-th step of the device fails, for each n: every call ends, those
 * that succeed have the right results, a later call succeeds, and nothing is left behind.
 */
@DisplayName("Failing each step of the device")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class FailEachStepTest {

  private static final int MOST_STEPS = 60;

  @AfterEach
  void noFaults() {
    FaultySiw.plan(FaultPlan.none());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("R-154, B-039 B-040 B-045 B-128: nothing hangs, nothing leaks")
  void each(Step step) {
    FaultPlan counting = FaultPlan.none();
    run(counting, "without faults");
    assertThat(counting.count(step)).isPositive();
    int steps = Math.min(MOST_STEPS, counting.count(step));
    int faults = 0;
    for (int n = 1; n <= steps; n++) {
      FaultPlan plan = FaultPlan.at(step, n);
      run(plan, step + " " + n);
      faults += plan.faults();
    }
    // How many steps there are depends a little on timing, and so the last ones may not be met.
    assertThat(faults).isGreaterThan(steps / 2);
  }

  private static void run(FaultPlan plan, String what) {
    FaultySiw.plan(plan);
    byte[] small = new byte[100];
    byte[] large = new byte[70_001];
    java.util.Arrays.fill(large, (byte) 7);
    try (RpcBed bed = new RpcBed(FaultySiw.NAME)) {
      List<Future<Buffer>> calls = new ArrayList<>();
      calls.add(bed.channel.call(EchoService.echo(small)));
      calls.add(bed.channel.call(EchoService.echo(large)));
      calls.add(bed.channel.call(EchoService.echoPlaced(DataItem.of(large))));
      int failed = 0;
      for (int i = 0; i < calls.size(); i++) {
        byte[] expected = i == 0 ? small : large;
        failed += Waiting.await(calls.get(i).map(result -> {
          assertThat(result.getBytes()).as("%s, %d bytes", what, expected.length).isEqualTo(expected);
          return 0;
        }).otherwise(failure -> {
          assertThat(failure).as(what).isInstanceOf(RpcException.class);
          return 1;
        }));
      }
      assertThat(failed == 0 || plan.faults() > 0).as("%s: %d calls failed", what, failed).isTrue();
      assertThat(Waiting.await(again(bed, 3)).getBytes()).as(what).isEqualTo(small);
    }
  }

  /** The fault may still be to come, or its connection not yet known to be gone. */
  private static Future<Buffer> again(RpcBed bed, int times) {
    Future<Buffer> call = bed.channel.call(EchoService.echo(new byte[100]));
    return times == 0 ? call : call.recover(failure -> again(bed, times - 1));
  }
}
