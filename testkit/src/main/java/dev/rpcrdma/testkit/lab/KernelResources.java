// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the kernel keeps for RDMA: asked for inside the lab's machine, of the program {@code rdma}. */
public final class KernelResources {

  private static final List<String> KINDS = List.of("qp", "cm_id", "mr", "pd", "cq");
  private static final Pattern OWNER = Pattern.compile(" pid (\\d+) ");

  private KernelResources() {}

  /**
   * How many of each kind a device has, the kernel's own included.
   *
   * @param device which one
   * @return kinds and numbers, as in {@code pd 1 cq 1 qp 1 cm_id 0 mr 0 ctx 0 srq 0}
   */
  public static String counts(KernelDevice device) {
    String name = " " + device.deviceName() + ": ";
    return show("").filter(line -> line.contains(name)).map(line -> line.substring(line.indexOf(name) + name.length()))
        .findFirst().orElseThrow(() -> new AssertionError("No device" + name)).strip();
  }

  /**
   * What threads have made and not destroyed, on all devices. The kernel names the thread, not its process.
   *
   * @param threads which may have ended
   * @return a line for each
   */
  public static List<String> of(Set<Long> threads) {
    return KINDS.stream().flatMap(kind -> show(kind).filter(line -> isOf(threads, line))
        .map(line -> kind + ": " + line)).toList();
  }

  private static boolean isOf(Set<Long> threads, String line) {
    Matcher matcher = OWNER.matcher(line);
    return matcher.find() && threads.contains(Long.valueOf(matcher.group(1)));
  }

  private static Stream<String> show(String kind) {
    return GuestProgram.run(Stream.of("rdma", "resource", "show", kind).filter(word -> !word.isEmpty())
        .toArray(String[]::new)).expectSuccess().output().lines();
  }
}
