// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.connect.FabricRules;
import dev.rpcrdma.ibverbs.ffi.FakeRdmaCore;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.VerbsException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Devices that a compiled library makes up, in structures of rdma-core's headers. */
@NeedsRdmaHeaders
class RdmaDeviceTest {

  /** Of the compiled file. */
  public interface Control {
    void fakeDevices(int here, int wrong);
  }

  @TempDir
  private Path folder;
  private RdmaCore core;
  private Control control;

  @BeforeEach
  void compile() throws Exception {
    Path library = FakeRdmaCore.compile(folder, "/fake_devices.c");
    core = RdmaCore.load(library.toString(), library.toString());
    control = FakeRdmaCore.control(Control.class, library);
  }

  @Test
  @DisplayName("Each device with its name, kind, ports and bounds")
  void devices() throws Exception {
    control.fakeDevices(2, 0);
    List<RdmaDevice> devices = RdmaDevice.list(core);
    assertThat(devices).extracting(RdmaDevice::describe).containsExactly(
        "iwarp0 (iWARP, 1 of 2 ports active)", "roce1 (InfiniBand or RoCE, 1 of 2 ports active)");
    assertThat(devices.get(0).rules()).isEqualTo(FabricRules.IWARP);
    DeviceAttributes attributes = devices.get(1).attributes();
    assertThat(attributes.maxSendQueueDepth()).as("a completion queue holds both queues").isEqualTo(800);
    assertThat(attributes.maxOutboundReads()).isEqualTo(128);
    assertThat(attributes.maxInboundReads()).isEqualTo(16);
    assertThat(attributes.connectPrivateData()).isEqualTo(56);
    assertThat(attributes.promptRevocation()).isTrue();
  }

  @Test
  @DisplayName("Without a device the reason is the library's")
  void none() {
    control.fakeDevices(0, 0);
    assertThatThrownBy(() -> RdmaDevice.list(core)).isInstanceOf(NativeException.class)
        .hasMessage("rdma_get_devices: no such device (ENODEV)");
  }

  /** Fails if {@code RdmaDevice.checkLayout} is left out. */
  @Test
  @DisplayName("A library with other structures is refused before anything is written")
  void layout() {
    control.fakeDevices(1, 1);
    assertThatThrownBy(() -> RdmaDevice.list(core)).isInstanceOf(VerbsException.class)
        .hasMessageContaining("\"iwarp0\" where the device's name another should be");
  }
}
