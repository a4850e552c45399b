// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs;

import dev.rpcrdma.ibverbs.device.RdmaDevice;
import dev.rpcrdma.ibverbs.doctor.Examination;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.ibverbs.pair.IbverbsDevice;
import dev.rpcrdma.verbs.DeviceDescription;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Finding;
import dev.rpcrdma.verbs.Finding.Grade;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** RDMA devices of the Linux kernel, by the name {@code ibverbs}. */
public final class IbverbsProvider implements VerbsProvider {

  /** Before software iWARP. */
  private static final int PRIORITY = 100;

  private final Path root;
  private final Supplier<RdmaCore> libraries;

  /** Of this machine. */
  public IbverbsProvider() {
    this(Path.of("/"), RdmaCore::load);
  }

  IbverbsProvider(Path root, Supplier<RdmaCore> libraries) {
    this.root = root;
    this.libraries = libraries;
  }

  @Override
  public String name() {
    return "ibverbs";
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  private Examination examination() {
    return Examination.of(root, libraries, false);
  }

  @Override
  public ProviderStatus probe() {
    return status(examination());
  }

  private static ProviderStatus status(Examination examination) {
    return examination.findings().stream().filter(finding -> finding.grade() == Grade.PROBLEM).findFirst()
        .map(problem -> ProviderStatus.unusable(problem.text() + ".", problem.remedy() + "."))
        .orElseGet(() -> ProviderStatus.usable(examination.devices().get(0).describe()));
  }

  @Override
  public List<Finding> examine() {
    return Examination.of(root, libraries, true).findings();
  }

  @Override
  public List<DeviceDescription> devices() {
    return examination().devices().stream()
        .map(device -> new DeviceDescription(device.name(), device.describe(), device.attributes())).toList();
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    IbverbsOptions settings = IbverbsOptions.of(options.settings());
    if (options.capture().isPresent()) {
      throw new VerbsException(Kind.INVALID_ARGUMENT, "The provider ibverbs cannot capture: its packets are made by the"
          + " device. Use tcpdump on the host, where the device lets it see them, or the provider 'siw'");
    }
    Examination examination = examination();
    ProviderStatus status = status(examination);
    if (!status.usable()) {
      throw new VerbsException(Kind.UNAVAILABLE, status.reason() + " " + status.remedy());
    }
    return new IbverbsDevice(vertx, libraries.get(), choose(examination.devices(), settings), settings);
  }

  private static RdmaDevice choose(List<RdmaDevice> devices, IbverbsOptions settings) {
    return settings.device().map(name -> devices.stream().filter(device -> device.name().equals(name)).findFirst()
        .orElseThrow(() -> new VerbsException(Kind.UNAVAILABLE, "There is no RDMA device '" + name
            + "' here; there are " + devices.stream().map(RdmaDevice::name).collect(Collectors.joining(", ")))))
        .orElseGet(() -> devices.get(0));
  }
}
