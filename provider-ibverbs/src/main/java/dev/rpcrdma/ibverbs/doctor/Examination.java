// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.doctor;

import dev.rpcrdma.ibverbs.completion.HopCost;
import dev.rpcrdma.ibverbs.device.RdmaDevice;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.verbs.Finding;
import dev.rpcrdma.verbs.Finding.Grade;
import dev.rpcrdma.verbs.VerbsException;
import io.netty.channel.epoll.Epoll;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Looks for all that an RDMA device needs, from the bottom up, until something is missing. */
public final class Examination {

  static final String SIW = "Or use the provider 'siw', which needs none of this and talks to iWARP NICs and to"
      + " the kernel's siw";
  private static final int FORK_UNNEEDED = 2;
  private static final double NANOS_PER_MICRO = 1_000;

  private final Path root;
  private final Supplier<RdmaCore> libraries;
  private final boolean measured;
  private final List<Finding> findings = new ArrayList<>();
  private List<RdmaDevice> devices = List.of();

  private Examination(Path root, Supplier<RdmaCore> libraries, boolean measured) {
    this.root = root;
    this.libraries = libraries;
    this.measured = measured;
  }

  /**
   * Examines a machine.
   *
   * @param root of its files: {@code /}, but for tests
   * @param libraries loads rdma-core
   * @param measured whether to measure as well, which takes some ten milliseconds
   * @return what was found
   */
  public static Examination of(Path root, Supplier<RdmaCore> libraries, boolean measured) {
    Examination examination = new Examination(root, libraries, measured);
    examination.run();
    return examination;
  }

  /** In the order in which it was looked for; none behind the first problem. */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  /** Those that can be opened, the one that is by default first; empty if there is a problem. */
  public List<RdmaDevice> devices() {
    return isUsable() ? devices : List.of();
  }

  /** Whether a device can be opened. */
  public boolean isUsable() {
    return findings.stream().noneMatch(finding -> finding.grade() == Grade.PROBLEM);
  }

  private void run() {
    try {
      RdmaCore core = libraries.get();
      findings.add(Finding.good("libraries", "libibverbs.so.1 and librdmacm.so.1 are here"));
      connectionManager();
      if (isUsable()) {
        listDevices(core);
      }
      if (isUsable()) {
        findings.add(LockedMemory.examine(root.resolve("proc/self")));
        forks(core);
        transport();
      }
    } catch (VerbsException e) {
      findings.add(Finding.problem("libraries", e.getMessage(),
          "Install them: 'apt-get install libibverbs1 librdmacm1 ibverbs-providers' on Debian and Ubuntu,"
              + " 'dnf install libibverbs librdmacm' on Fedora and RHEL. " + SIW));
    } catch (LinkageError e) {
      findings.add(NativeAccess.problem(e));
    }
  }

  private void connectionManager() {
    Path device = root.resolve("dev/infiniband/rdma_cm");
    if (!Files.exists(device)) {
      findings.add(Finding.problem("connection manager", "There is no /dev/infiniband/rdma_cm, so no connection can be"
          + " made", "Load the kernel's module: 'modprobe rdma_ucm'. In a container, give it the host's devices:"
          + " '--device=/dev/infiniband'. " + SIW));
    } else if (!Files.isReadable(device) || !Files.isWritable(device)) {
      findings.add(Finding.problem("connection manager", "/dev/infiniband/rdma_cm may not be opened by this user",
          "Let the user's group open what is in /dev/infiniband, by a rule of udev; rdma-core's own has mode 0666"));
    } else {
      findings.add(Finding.good("connection manager", "/dev/infiniband/rdma_cm can be opened"));
    }
  }

  private void listDevices(RdmaCore core) {
    try {
      devices = RdmaDevice.list(core).stream()
          .sorted((one, other) -> Boolean.compare(other.isUp(), one.isUp())).toList();
    } catch (NativeException e) {
      noDevice(" (" + e.getMessage() + ")");
      return;
    }
    if (devices.isEmpty()) {
      noDevice("");
      return;
    }
    devices.forEach(this::describe);
    if (devices.stream().noneMatch(RdmaDevice::isUp)) {
      findings.add(Finding.problem("port", "No port of an RDMA device is active",
          "Plug in the cable, and bring the network interface up: 'ip link set NAME up'"));
    }
  }

  private void noDevice(String why) {
    findings.add(Finding.problem("device", "This host has no RDMA device" + why, "Load the driver of the NIC."
        + " Without a NIC, software RoCE does for trying it out: 'modprobe rdma_rxe', then 'rdma link add rxe0 type rxe"
        + " netdev NAME' with the network interface's name. " + SIW));
  }

  private void describe(RdmaDevice device) {
    if (!device.isUp()) {
      findings.add(Finding.warning("device", device.describe(), "Bring its network interface up: 'ip link set NAME"
          + " up'"));
    } else if (device.attributes().hosts().isEmpty()) {
      findings.add(Finding.warning("device", device.describe() + ", with no IP address that is known",
          "Connections are made by IP addresses: give its network interface one: 'ip address add ADDRESS dev NAME'"));
    } else {
      findings.add(Finding.good("device", device.describe() + ", at "
          + String.join(", ", device.attributes().hosts())));
    }
  }

  private void forks(RdmaCore core) {
    findings.add(Finding.good("fork", core.verbs().ibvIsForkInitialized() == FORK_UNNEEDED
        ? "Processes may be started: the kernel keeps registered memory apart from theirs"
        : "Processes may be started by Java, which does not fork; native code of yours that forks needs"
            + " RDMAV_FORK_SAFE=1 on this kernel"));
  }

  private void transport() {
    if (Epoll.isAvailable()) {
      findings.add(Finding.good("event loops", "Netty's epoll can be used. With"
          + " VertxOptions.setPreferNativeTransport(true) event loops hear of completions themselves; else another"
          + " thread does, and tells them" + hop()));
    } else {
      findings.add(Finding.problem("event loops", "Netty's epoll cannot be used, by which completions are heard of: "
          + Epoll.unavailabilityCause(),
          "Add netty-transport-native-epoll for this machine's architecture to the class path"));
    }
  }

  private String hop() {
    OptionalLong nanos = measured ? HopCost.measure() : OptionalLong.empty();
    return nanos.isEmpty() ? "" : String.format(Locale.ROOT, ", which takes %.0f \u00b5s here",
        Math.max(1, nanos.getAsLong() / NANOS_PER_MICRO));
  }
}
