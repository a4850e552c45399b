// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The addresses by which a device is reached: those of the network interfaces that it belongs to. */
final class HostAddresses {

  private static final Path DEVICES = Path.of("/sys/class/infiniband");
  private static final int MAC_BYTES = 6;

  private HostAddresses() {}

  /**
   * Looks at what the kernel says of the device's first port.
   *
   * @param device its name
   * @return addresses of IPv4 first; empty if the kernel does not say, as of InfiniBand proper
   */
  static List<String> of(String device) {
    Path port = DEVICES.resolve(device).resolve("ports/1");
    Set<String> names = interfaces(port.resolve("gid_attrs/ndevs"));
    byte[] mac = mac(port.resolve("gids/0"));
    try {
      return NetworkInterface.networkInterfaces()
          .filter(each -> names.contains(each.getName()) || names.isEmpty() && has(each, mac))
          .flatMap(NetworkInterface::inetAddresses).filter(address -> !address.isLinkLocalAddress())
          .sorted(Comparator.comparingInt(address -> address.getAddress().length)).map(InetAddress::getHostAddress)
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }

  /** Of RoCE, whose table of addresses has the interface of each. */
  private static Set<String> interfaces(Path table) {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> entries = Files.list(table)) {
      entries.map(HostAddresses::read).filter(name -> !name.isEmpty()).forEach(names::add);
    } catch (IOException | UncheckedIOException e) {
      // There is no such table.
    }
    return names;
  }

  /** Of iWARP, whose one GID begins with the interface's hardware address; all zero if it has none. */
  private static byte[] mac(Path gid) {
    String digits = read(gid).replace(":", "");
    return digits.length() < 2 * MAC_BYTES ? new byte[MAC_BYTES]
        : HexFormat.of().parseHex(digits.substring(0, 2 * MAC_BYTES));
  }

  private static boolean has(NetworkInterface each, byte[] mac) {
    try {
      return Arrays.equals(each.getHardwareAddress(), mac) && !Arrays.equals(mac, new byte[MAC_BYTES]);
    } catch (SocketException e) {
      // It has gone in this moment.
      return false;
    }
  }

  /** Empty if it cannot be read, as an entry that is not used. */
  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
