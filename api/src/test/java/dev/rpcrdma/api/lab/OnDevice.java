// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.LedgerService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.api.impl.call.CallsContract;
import dev.rpcrdma.api.impl.client.LedgerLoad;
import dev.rpcrdma.api.impl.connection.LargeRepliesTest;
import dev.rpcrdma.api.impl.connection.ReverseCallsTest;
import dev.rpcrdma.testkit.FaultPlan;
import dev.rpcrdma.testkit.Waiting;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What holds over any provider, over a device of the lab's VM, where these tests run. */
public final class OnDevice {

  private OnDevice() {}

  /** Calls of every form. */
  public static final class Calls extends CallsContract {

    Calls() {
      super(TestedDevice.NAME);
    }
  }

  /** The server calls the client. */
  public static final class ReverseCalls extends ReverseCallsTest {

    @Override
    protected String provider() {
      return TestedDevice.NAME;
    }
  }

  /** Replies that are larger than was said. */
  public static final class LargeReplies extends LargeRepliesTest {

    @Override
    protected String provider() {
      return TestedDevice.NAME;
    }
  }

  /** Connections that are lost under load. */
  public static final class Recovery {

    private static final int ONE_IN = 150;
    private static final int LOST = 20;

    private final BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    private RpcBed bed;

    /** A plan is of devices that are opened: none of the next test's. */
    @AfterEach
    void close() {
      TestedDevice.plan(FaultPlan.none());
      bed.close();
    }

    @Test
    @DisplayName("Connections are lost in place of posts, under load in both directions; each call is executed once")
    void lost() {
      TestedDevice.plan(FaultPlan.random(FaultPlan.Step.POST, 1, ONE_IN));
      Duration soon = Duration.ofMillis(500);
      bed = new RpcBed(new RpcServerOptions().setProvider(TestedDevice.NAME).setDrainTimeout(soon),
          new RpcClientOptions().setProvider(TestedDevice.NAME).setDrainTimeout(soon).setReconnectAttempts(0)
              .setReconnectDelay(Duration.ofMillis(5)).setCallTimeout(Duration.ofSeconds(120)));
      LedgerService atServer = new LedgerService(bed.vertx);
      LedgerService atClient = new LedgerService(bed.vertx);
      bed.server.bind(atServer).connectionHandler(accepted::add);
      bed.channel.bind(atClient);
      Waiting.await(bed.channel.connect());
      LedgerLoad forward = new LedgerLoad(bed.channel, 1);
      LedgerLoad reverse = new LedgerLoad(Waiting.next(accepted).peer(), 2);
      while (Waiting.await(bed.channel.snapshot()).connections() < LOST) {
        Waiting.await(forward.progress());
      }
      Waiting.await(forward.stop());
      Waiting.await(reverse.stop());
      forward.check(atServer);
      reverse.check(atClient);
      assertThat(Waiting.await(bed.channel.snapshot()).replays()).isPositive();
    }
  }
}
