// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.device;

import dev.rpcrdma.ibverbs.connect.FabricRules;
import dev.rpcrdma.ibverbs.ffi.Layouts;
import dev.rpcrdma.ibverbs.ffi.NativeException;
import dev.rpcrdma.ibverbs.ffi.NativeMemory;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.verbs.DeviceAttributes;
import dev.rpcrdma.verbs.VerbsException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An RDMA device as librdmacm has opened it. Its context is librdmacm's own, and good for as long as the process runs.
 *
 * @param name such as {@code mlx5_0}
 * @param context a {@code struct ibv_context}
 * @param rules what its fabric means by events
 * @param softwareIwarp whether it is Linux's siw. What that does otherwise than others do: a Read that has begun goes
 *     on when its memory is deregistered, from there as from the queue of TCP, which refers to the pages; a Response
 *     looks at bounds alone and not at rights; and one of no bytes, while something else is sent, has the bytes of that
 * @param ports how many it has
 * @param activePorts how many of them are up
 * @param attributes what it can do
 */
public record RdmaDevice(String name, long context, FabricRules rules, boolean softwareIwarp, int ports,
    int activePorts, DeviceAttributes attributes) {

  private static final System.Logger LOGGER = System.getLogger(RdmaDevice.class.getName());

  private static final int DEVICE_BYTES = 664;
  private static final int NAME_BYTES = 64;
  /** The vendor of Linux's siw. */
  private static final int SOFTWARE_IWARP = 0x626d74;
  /** What one byte of {@code rdma_conn_param} can say. */
  private static final int MAX_READS = 255;
  /** Work requests of a queue pair in this process; devices have 4 to 32 times as many. */
  private static final int MAX_DEPTH = 1 << 14;

  /**
   * All devices of this host.
   *
   * @param core the libraries
   * @return in the kernel's order; empty if there is none
   * @throws NativeException if they cannot be opened, or none of them can be asked; one that cannot is left out
   * @throws VerbsException of kind UNAVAILABLE if the libraries have other layouts than this version knows
   */
  public static List<RdmaDevice> list(RdmaCore core) throws NativeException {
    int[] count = {0};
    long list = core.cm().rdmaGetDevices(count);
    if (list == 0) {
      // Without any device it fails with ENODEV, and without the kernel's modules with ENOENT.
      throw new NativeException("rdma_get_devices", core.errno());
    }
    try {
      List<RdmaDevice> devices = new ArrayList<>();
      NativeException failure = null;
      ByteBuffer contexts = NativeMemory.view(list, Math.max(1, count[0]) * Long.BYTES);
      for (int i = 0; i < count[0]; i++) {
        try {
          devices.add(of(core, contexts.getLong(i * Long.BYTES)));
        } catch (NativeException e) {
          // Such as one that is being removed; the others can be used.
          LOGGER.log(Level.WARNING, "One of the host's RDMA devices cannot be asked and is left out", e);
          failure = e;
        }
      }
      if (devices.isEmpty() && failure != null) {
        throw failure;
      }
      return devices;
    } finally {
      core.cm().rdmaFreeDevices(list);
    }
  }

  private static RdmaDevice of(RdmaCore core, long context) throws NativeException {
    long device = NativeMemory.view(context, Long.BYTES).getLong(Layouts.Context.DEVICE);
    ByteBuffer fields = NativeMemory.view(device, DEVICE_BYTES);
    String name = core.verbs().ibvGetDeviceName(device);
    checkLayout(name, fields);
    FabricRules rules = FabricRules.of(fields.getInt(Layouts.Device.TRANSPORT));
    NativeMemory attributes = NativeMemory.allocate(Layouts.DeviceAttr.SIZE);
    core.check("ibv_query_device", core.verbs().ibvQueryDevice(context, attributes.address()));
    ByteBuffer found = attributes.buffer();
    int ports = Byte.toUnsignedInt(found.get(Layouts.DeviceAttr.PHYS_PORT_CNT));
    int active = 0;
    for (int port = 1; port <= ports; port++) {
      active += isActive(core, context, port) ? 1 : 0;
    }
    boolean softwareIwarp = found.getInt(Layouts.DeviceAttr.VENDOR_ID) == SOFTWARE_IWARP;
    DeviceAttributes described = rules.describe(capabilities(found)).promptRevocation(!softwareIwarp)
        .readRightsChecked(!softwareIwarp).emptyReadsServed(!softwareIwarp).hosts(HostAddresses.of(name)).build();
    return new RdmaDevice(name, context, rules, softwareIwarp, ports, active, described);
  }

  /** The name by a function of the library's, and where this version believes it to be. */
  private static void checkLayout(String name, ByteBuffer device) {
    byte[] bytes = new byte[NAME_BYTES];
    device.get(Layouts.Device.NAME, bytes);
    String read = new String(bytes, StandardCharsets.US_ASCII).split("\0", 2)[0];
    if (!read.equals(name)) {
      throw new VerbsException(VerbsException.Kind.UNAVAILABLE, "libibverbs.so.1 here has other structures than those"
          + " of rdma-core that this version knows: it reads \"" + read + "\" where the device's name " + name
          + " should be. It is not used, since memory would be corrupted");
    }
  }

  private static boolean isActive(RdmaCore core, long context, int port) throws NativeException {
    NativeMemory attributes = NativeMemory.allocate(Layouts.PortAttr.SIZE);
    core.check("ibv_query_port", core.verbs().ibvQueryPort(context, (byte) port, attributes.address()));
    return attributes.buffer().getInt(Layouts.PortAttr.STATE) == Numbers.PORT_ACTIVE;
  }

  private static DeviceAttributes.Builder capabilities(ByteBuffer found) {
    int depth = Math.min(MAX_DEPTH, Math.min(found.getInt(Layouts.DeviceAttr.MAX_QP_WR),
        found.getInt(Layouts.DeviceAttr.MAX_CQE) / 2));
    return DeviceAttributes.builder().maxSendQueueDepth(depth).maxReceiveQueueDepth(depth)
        .maxMessageSize(Integer.MAX_VALUE)
        .maxOutboundReads(Math.min(MAX_READS, found.getInt(Layouts.DeviceAttr.MAX_QP_INIT_RD_ATOM)))
        .maxInboundReads(Math.min(MAX_READS, found.getInt(Layouts.DeviceAttr.MAX_QP_RD_ATOM)));
  }

  private String kind() {
    if (softwareIwarp) {
      return "iWARP by software";
    }
    return rules == FabricRules.IWARP ? "iWARP" : "InfiniBand or RoCE";
  }

  /** Whether it has a port that is up. */
  public boolean isUp() {
    return activePorts > 0;
  }

  /** For people: its name, kind and ports. */
  public String describe() {
    return name + " (" + kind() + ", " + activePorts + " of "
        + ports + (ports == 1 ? " port" : " ports") + " active)";
  }
}
