package dev.rpcrdma.ibverbs.lab;

import dev.rpcrdma.testkit.lab.LabVm;

/** The kernel's RDMA devices that need no hardware. */
enum KernelDevice {
  SIW("siw0", "siw.sh"),
  RXE("rxe0", "rxe.sh");

  private final String deviceName;
  private final String script;

  KernelDevice(String deviceName, String script) {
    this.deviceName = deviceName;
    this.script = script;
  }

  /** What the kernel calls it. */
  String deviceName() {
    return deviceName;
  }

  /** Loads it. */
  void load(LabVm vm) {
    vm.exec("bash /lab/guest/" + script).expectSuccess();
  }
}
