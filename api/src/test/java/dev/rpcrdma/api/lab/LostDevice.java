// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcException;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.GuestProgram;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.testkit.lab.LabResult;
import io.vertx.core.Vertx;

/**
 * Each device is removed while calls are under way over it. A program of the lab's VM, which has to end by itself when
 * all is closed: the kernel removes the devices when it has.
 */
public final class LostDevice {

  /** What it says last. */
  public static final String OVER = "all is closed";

  private LostDevice() {}

  /**
   * Loses one device after the other.
   *
   * @param arguments of {@link KernelDevice}, with the kernel's module of each behind it
   */
  public static void main(String[] arguments) {
    for (int i = 0; i < arguments.length; i += 2) {
      lose(KernelDevice.valueOf(arguments[i]), arguments[i + 1]);
    }
    System.out.println(OVER);
  }

  private static void lose(KernelDevice device, String module) {
    Vertx vertx = Vertx.vertx();
    try (DeviceLoad load = new DeviceLoad(vertx, device)) {
      load.begin(load.port()).awaitProgress();
      LabResult refused = GuestProgram.run("rmmod", module);
      assertThat(refused.status()).isNotZero();
      assertThat(refused.output()).contains("is in use");
      load.awaitProgress();
      // The kernel tells of it, and ends it when this process has.
      GuestProgram.start("rdma", "link", "delete", device.deviceName());
      load.awaitFailures();
      System.out.println(load);
      assertThat(Waiting.awaitFailure(load.call(1))).isInstanceOf(RpcException.class);
    } finally {
      Waiting.await(vertx.close());
    }
  }
}
