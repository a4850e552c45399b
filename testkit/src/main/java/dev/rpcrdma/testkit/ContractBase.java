// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProvider;

/** What the parts of the contract need to know of the provider under test. */
public interface ContractBase {

  /**
   * The provider under test.
   *
   * @return a provider, new or not
   */
  VerbsProvider provider();

  /**
   * How to open its device.
   *
   * @return the options, the defaults if not overridden
   */
  default DeviceOptions deviceOptions() {
    return DeviceOptions.DEFAULT;
  }

  /**
   * Opens a device for one test.
   *
   * @return to be closed at the test's end
   */
  default VerbsBed open() {
    return new VerbsBed(provider(), deviceOptions());
  }
}
