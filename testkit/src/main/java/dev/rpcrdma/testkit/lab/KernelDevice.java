// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

/** The kernel's RDMA devices that need no hardware. */
public enum KernelDevice {

  /** iWARP by software. */
  SIW("siw0", LabVm.GUEST, "siw.sh"),
  /** RoCE by software. */
  RXE("rxe0", "10.9.9.1", "rxe.sh");

  private final String deviceName;
  private final String address;
  private final String script;

  KernelDevice(String deviceName, String address, String script) {
    this.deviceName = deviceName;
    this.address = address;
    this.script = script;
  }

  /**
   * What the kernel calls it.
   *
   * @return its name
   */
  public String deviceName() {
    return deviceName;
  }

  /**
   * Where the machine reaches itself by it.
   *
   * @return an IP address
   */
  public String address() {
    return address;
  }

  /**
   * Loads it.
   *
   * @param vm the machine
   */
  public void load(LabVm vm) {
    vm.exec("bash /lab/guest/" + script).expectSuccess();
  }
}
