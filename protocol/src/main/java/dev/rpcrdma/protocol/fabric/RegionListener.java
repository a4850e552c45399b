// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.fabric;

/** Gets a region that was asked for, at once or later. */
public interface RegionListener {

  /**
   * The region is there.
   *
   * @param region now owned by the listener
   */
  void ready(Region region);

  /**
   * There is none.
   *
   * @param reason for people, not null: which bound was reached, or what the device refused
   */
  void failed(String reason);
}
