// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.ibverbs.ffi.FakeRdmaCore;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceDescription;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Finding;
import dev.rpcrdma.verbs.Finding.Grade;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the provider says of a machine: of files that a test makes, and devices that a compiled library makes up. */
@NeedsRdmaHeaders
class IbverbsProviderTest {

  /** Of the compiled file. */
  public interface Control {
    void fakeDevices(int here, int wrong);

    void fakePorts(int up);
  }

  @TempDir
  private Path root;
  @TempDir
  private Path compiled;
  private RdmaCore core;
  private Control control;
  private IbverbsProvider provider;

  @BeforeEach
  void machine() throws Exception {
    Path library = FakeRdmaCore.compile(compiled, "/fake_devices.c");
    core = RdmaCore.load(library.toString(), library.toString());
    control = FakeRdmaCore.control(Control.class, library);
    control.fakeDevices(2, 0);
    provider = new IbverbsProvider(root, () -> core);
    connectionManager();
    limits("8388608", 0);
  }

  private void connectionManager() throws IOException {
    Files.createDirectories(root.resolve("dev/infiniband"));
    Files.createFile(root.resolve("dev/infiniband/rdma_cm"));
  }

  private void limits(String locked, long capabilities) throws IOException {
    Path self = Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(self.resolve("limits"), "Limit                     Soft Limit           Hard Limit\n"
        + "Max locked memory         " + locked + "              unlimited            bytes\n");
    Files.writeString(self.resolve("status"), String.format("Name:\tjava%nCapEff:\t%016x%n", capabilities));
  }

  private Finding of(String subject) {
    return provider.examine().stream().filter(finding -> finding.subject().equals(subject)).reduce((one, last) -> last)
        .orElseThrow();
  }

  private void cannotBeUsed(String subject, String text, String remedy) {
    List<Finding> findings = provider.examine();
    Finding last = findings.get(findings.size() - 1);
    assertThat(last.grade()).isEqualTo(Grade.PROBLEM);
    assertThat(last.subject()).isEqualTo(subject);
    assertThat(last.text()).contains(text);
    assertThat(last.remedy()).contains(remedy);
    ProviderStatus status = provider.probe();
    assertThat(status.usable()).isFalse();
    assertThat(status.reason()).isEqualTo(last.text() + ".");
    assertThat(status.remedy()).isEqualTo(last.remedy() + ".");
    assertThat(provider.devices()).isEmpty();
    Vertx vertx = Vertx.vertx();
    try {
      assertThatThrownBy(() -> provider.open(vertx, DeviceOptions.DEFAULT))
          .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
          .hasMessageContaining(text).hasMessageContaining(remedy);
    } finally {
      Waiting.await(vertx.close());
    }
  }

  @Test
  @DisplayName("A machine that has all is told so, and its devices, those that are up first")
  void usable() throws IOException {
    assertThat(provider.probe().usable()).isTrue();
    assertThat(provider.probe().reason()).isEqualTo("iwarp0 (iWARP, 1 of 2 ports active)");
    assertThat(provider.examine()).extracting(Finding::subject).containsExactly("libraries", "connection manager",
        "device", "device", "locked memory", "fork", "event loops");
    assertThat(provider.devices()).extracting(DeviceDescription::name).containsExactly("iwarp0", "roce1");
    assertThat(VerbsProviders.all()).first().extracting(VerbsProvider::name).isEqualTo("ibverbs");
  }

  /** Fails if {@code Examination.transport} does not measure. */
  @Test
  @DisplayName("What it takes to hear of completions by another thread is measured")
  void hop() {
    assertThat(of("event loops").text()).containsPattern("tells them, which takes [1-9][0-9]* \u00b5s here");
  }

  @Test
  @DisplayName("Without the libraries it says which packages have them")
  void libraries() {
    provider = new IbverbsProvider(root, () -> RdmaCore.load("libibverbs.so.77", "librdmacm.so.77"));
    cannotBeUsed("libraries", "libibverbs.so.77 cannot be loaded", "apt-get install libibverbs1 librdmacm1");
  }

  @Test
  @DisplayName("Without the kernel's connection manager it says which module has it, and what a container needs")
  void noConnectionManager() throws IOException {
    Files.delete(root.resolve("dev/infiniband/rdma_cm"));
    cannotBeUsed("connection manager", "no /dev/infiniband/rdma_cm", "modprobe rdma_ucm");
    assertThat(of("connection manager").remedy()).contains("--device=/dev/infiniband");
  }

  @Test
  @DisplayName("Without a device it says how to have one of software")
  void noDevice() {
    control.fakeDevices(0, 0);
    cannotBeUsed("device", "no RDMA device", "rdma link add rxe0 type rxe");
  }

  @Test
  @DisplayName("Without a port that is up nothing can be used")
  void noPort() {
    control.fakePorts(0);
    cannotBeUsed("port", "No port of an RDMA device is active", "ip link set NAME up");
  }

  @Test
  @DisplayName("A low limit of locked memory is a warning, with its value and how to raise it; CAP_IPC_LOCK lifts it")
  void lockedMemory() throws IOException {
    assertThat(of("locked memory").grade()).isEqualTo(Grade.WARNING);
    assertThat(of("locked memory").text()).contains("8,192 KiB");
    assertThat(of("locked memory").remedy()).contains("LimitMEMLOCK=infinity").contains("--cap-add=IPC_LOCK");
    limits("unlimited", 0);
    assertThat(of("locked memory").grade()).isEqualTo(Grade.GOOD);
    limits("65536", 1 << 14);
    assertThat(of("locked memory").grade()).isEqualTo(Grade.GOOD);
    limits("65536", ~(1L << 14));
    assertThat(of("locked memory").grade()).isEqualTo(Grade.WARNING);
    Files.delete(root.resolve("proc/self/status"));
    assertThat(of("locked memory").grade()).isEqualTo(Grade.WARNING);
  }

  @Test
  @DisplayName("Opening refuses settings that it does not know, captures, and devices that are not there")
  void refusals() {
    Vertx vertx = Vertx.vertx();
    try {
      assertThatThrownBy(() -> provider.open(vertx, DeviceOptions.DEFAULT.withSettings(
          new JsonObject().put("crc", true)))).hasMessageContaining("No such ibverbs setting: crc");
      assertThatThrownBy(() -> provider.open(vertx, new DeviceOptions(new JsonObject(),
          Optional.of(root.resolve("a.pcapng"))))).hasMessageContaining("cannot capture");
      assertThatThrownBy(() -> provider.open(vertx, DeviceOptions.DEFAULT.withSettings(
          new JsonObject().put("device", "mlx5_0")))).hasMessageContaining("no RDMA device 'mlx5_0' here; there are"
              + " iwarp0, roce1");
    } finally {
      Waiting.await(vertx.close());
    }
  }
}
