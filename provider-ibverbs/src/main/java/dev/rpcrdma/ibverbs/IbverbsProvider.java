package dev.rpcrdma.ibverbs;

import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * RDMA devices of the Linux kernel, by the name {@code ibverbs}.
 *
 * <p>Never usable in this version: {@link #probe()} says what it found, so that a user knows which
 * device will be driven, and {@link #open} refuses.
 */
public final class IbverbsProvider implements VerbsProvider {

  /** Before software iWARP, once it is usable. */
  private static final int PRIORITY = 100;

  private static final String REMEDY =
      "Use the provider 'siw', which needs no device and talks to the kernel's siw and iWARP NICs.";

  private final Path devices;

  /** Looks where the kernel lists its devices. */
  public IbverbsProvider() {
    this(Path.of("/sys/class/infiniband"));
  }

  IbverbsProvider(Path devices) {
    this.devices = devices;
  }

  @Override
  public String name() {
    return "ibverbs";
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  public ProviderStatus probe() {
    return ProviderStatus.unusable("This version does not drive rdma-core yet ("
        + found(devices.toFile().list()) + ").", REMEDY);
  }

  private static String found(String[] names) {
    if (names == null || names.length == 0) {
      return "the kernel has no RDMA device here";
    }
    Arrays.sort(names);
    return "the kernel has " + String.join(", ", names);
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    ProviderStatus status = probe();
    throw new VerbsException(VerbsException.Kind.UNAVAILABLE,
        status.reason() + " " + status.remedy());
  }
}
