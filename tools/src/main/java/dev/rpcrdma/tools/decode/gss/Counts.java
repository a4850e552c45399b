// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import dev.rpcrdma.kerberos.gss.GssService;
import java.util.EnumMap;
import java.util.Map;
import java.util.StringJoiner;

/** How many of something, by service. */
final class Counts {

  private final Map<GssService, Integer> counts = new EnumMap<>(GssService.class);

  void add(GssService service) {
    counts.merge(service, 1, Integer::sum);
  }

  /** Such as {@code 12 calls (10 krb5, 2 krb5i)}. */
  String of(String what) {
    int sum = counts.values().stream().mapToInt(Integer::intValue).sum();
    StringJoiner each = new StringJoiner(", ", " (", ")").setEmptyValue("");
    counts.forEach((service, count) -> each.add(count + " " + name(service)));
    return sum + " " + what + each;
  }

  /** As users of NFS know it. */
  static String name(GssService service) {
    return switch (service) {
      case NONE -> "krb5";
      case INTEGRITY -> "krb5i";
      case PRIVACY -> "krb5p";
      case CHANNEL -> "krb5 bound to a channel";
    };
  }
}
