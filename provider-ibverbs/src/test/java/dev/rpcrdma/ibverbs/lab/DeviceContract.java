// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.lab;

import dev.rpcrdma.ibverbs.IbverbsProvider;
import dev.rpcrdma.testkit.VerbsProviderContract;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProvider;

/** The contract, on the device that the system property {@code rpcrdma.device} names. Run in the lab's VM. */
class DeviceContract implements VerbsProviderContract {

  @Override
  public VerbsProvider provider() {
    return new IbverbsProvider();
  }

  @Override
  public DeviceOptions deviceOptions() {
    return DeviceBed.options(System.getProperty("rpcrdma.device"));
  }
}
