// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcOptions;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;

/**
 * Shares the device of the clients and servers under test, so that it outlives them, and sees what
 * they have left behind.
 */
public final class DeviceWatch {

  private final SharedDevice device;
  private final SharedDevice.Opened opened;

  /** Joins the users of the device that clients and servers with these options use. */
  public DeviceWatch(Vertx vertx, RpcOptions<?> options) {
    device = SharedDevice.acquire(vertx, options.providersInOrder().get(0), options.getCapture());
    opened = Waiting.await(device.opened());
  }

  /** After all clients and servers have closed: nothing is in use, nothing stays registered. */
  public void assertNothingLeft() {
    assertThat(opened.pools().usedBytes()).as("pool bytes in use").isZero();
    assertThat(Waiting.await(opened.sends().inUse())).as("send buffers in use").isZero();
    assertThat(opened.rooms().usedBytes()).as("bytes of replies that are held").isZero();
    assertThat(opened.rooms().waiting()).as("calls that wait for room").isZero();
    Waiting.await(opened.sends().close());
    Waiting.await(opened.pools().close());
    assertThat(opened.domain().registrations()).as("registrations").isZero();
    Waiting.await(device.release());
  }

  /** Bytes of the pool in use now. */
  public long poolBytes() {
    return opened.pools().usedBytes();
  }

  /** How many registrations there are now. */
  public int registrations() {
    return opened.domain().registrations();
  }
}
