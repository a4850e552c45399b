// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Names of programs that everybody knows, as in /etc/rpc, which not each machine has. */
final class KnownPrograms {

  private static final Map<Integer, String> NAMES = Map.ofEntries(Map.entry(100_000, "portmapper"),
      Map.entry(100_001, "rstatd"), Map.entry(100_002, "rusersd"), Map.entry(100_003, "nfs"),
      Map.entry(100_004, "ypserv"), Map.entry(100_005, "mountd"), Map.entry(100_007, "ypbind"),
      Map.entry(100_008, "walld"), Map.entry(100_011, "rquotad"), Map.entry(100_020, "llockmgr"),
      Map.entry(100_021, "nlockmgr"), Map.entry(100_024, "status"), Map.entry(100_227, "nfs_acl"));
  /** Above are those of sites (RFC 5531 §8.1), which people write in hexadecimal. */
  private static final int FIRST_OF_SITES = 0x20000000;

  private KnownPrograms() {}

  static String name(int program) {
    return find(program).orElse("-");
  }

  static Optional<String> find(int program) {
    return Optional.ofNullable(NAMES.get(program));
  }

  /** Returns the number of a program that is known by its name. */
  static Optional<Integer> number(String name) {
    return NAMES.entrySet().stream().filter(each -> each.getValue().equals(name)).map(Map.Entry::getKey).findFirst();
  }

  /** Returns all names, in the order of their numbers. */
  static List<String> names() {
    return NAMES.entrySet().stream().sorted(Map.Entry.comparingByKey()).map(Map.Entry::getValue).toList();
  }

  static String number(int program) {
    return Integer.compareUnsigned(program, FIRST_OF_SITES) < 0 ? Integer.toString(program)
        : "0x" + Integer.toHexString(program);
  }
}
