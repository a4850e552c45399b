// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.lab;

import dev.rpcrdma.ibverbs.IbverbsProvider;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.lab.KernelDevice;
import dev.rpcrdma.verbs.DeviceOptions;
import io.vertx.core.json.JsonObject;

/** Devices of the kernel, inside the lab's VM. */
final class DeviceBed {

  private DeviceBed() {}

  /** Opens one. */
  static VerbsBed open(KernelDevice device) {
    return new VerbsBed(new IbverbsProvider(), options(device.deviceName()));
  }

  /** How the one of a name is opened. */
  static DeviceOptions options(String device) {
    return DeviceOptions.DEFAULT.withSettings(new JsonObject().put("device", device));
  }
}
