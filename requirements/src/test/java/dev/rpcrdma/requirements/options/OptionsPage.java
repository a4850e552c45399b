// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.options;

import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import java.lang.reflect.Field;
import java.util.List;
import java.util.stream.Collectors;

/** The part of docs/options.md that is written from the declarations. */
final class OptionsPage {

  /**
   * One table.
   *
   * @param heading of it
   * @param type the class that declares the options
   * @param text what stands above the table
   */
  record Section(String heading, String type, String text) {}

  private static final String API = "dev.rpcrdma.api.";

  /** In this order. */
  static final List<Section> SECTIONS = List.of(
      new Section("Clients and servers", API + "RpcOptions", "Of `RpcClientOptions` and `RpcServerOptions`."),
      new Section("Clients", API + "RpcClientOptions", "Of `RpcClientOptions`, besides those above."),
      new Section("Servers", API + "RpcServerOptions", "Of `RpcServerOptions`, besides those above."),
      new Section("Calls", API + "CallOptions", "Of `CallOptions`, which go with each call, and have no form in JSON:"
          + " `withTimeout` sets `timeout`, and so on."),
      new Section("Kerberos", API + "KerberosOptions", "Of `KerberosOptions`, by the key `kerberos`."),
      new Section("Clusters, servers", "dev.rpcrdma.cluster.AdvertisementOptions",
          "Of `AdvertisementOptions`: how a server makes itself [known](cluster.md)."),
      new Section("Clusters, clients", "dev.rpcrdma.cluster.DirectoryOptions",
          "Of `DirectoryOptions`: how servers are [looked for](cluster.md)."),
      new Section("Replicated replies", "dev.rpcrdma.cluster.replicated.ReplicatedRepliesOptions",
          "Of `ReplicatedRepliesOptions` ([failover.md](failover.md))."),
      new Section("Channels over the event bus", "dev.rpcrdma.service.eventbus.EventBusChannelOptions",
          "Of `EventBusChannelOptions` ([event-bus.md](event-bus.md))."),
      new Section("Bridges", "dev.rpcrdma.service.bridge.BridgeOptions",
          "Of `BridgeOptions`, by the key `bridge` ([bridge.md](bridge.md))."),
      new Section("siw", "dev.rpcrdma.siw.SiwOptions", "Settings of the provider `siw` ([siw.md](siw.md))."),
      new Section("ibverbs", "dev.rpcrdma.ibverbs.IbverbsOptions",
          "Settings of the provider `ibverbs` ([ibverbs.md](ibverbs.md))."),
      new Section("memory", "dev.rpcrdma.testkit.fabric.MemoryOptions",
          "Settings of the provider `memory` ([providers.md](providers.md#faults-by-settings))."));

  private OptionsPage() {}

  /** Returns the options of a class, without those that it inherits. */
  static List<Option<?>> own(Section section) throws ReflectiveOperationException {
    OptionSet set = set(section);
    List<Option<?>> inherited = List.of();
    if (set.className().matches("Rpc(Client|Server)Options")) {
      inherited = set(SECTIONS.get(0)).all();
    }
    List<Option<?>> all = set.all();
    return all.subList(inherited.size(), all.size());
  }

  static OptionSet set(Section section) throws ReflectiveOperationException {
    for (Field field : Class.forName(section.type()).getDeclaredFields()) {
      if (field.getType() == OptionSet.class) {
        field.setAccessible(true);
        return (OptionSet) field.get(null);
      }
    }
    throw new NoSuchFieldException("OptionSet in " + section.type());
  }

  static String table(Section section) throws ReflectiveOperationException {
    return "\n## " + section.heading() + "\n\n" + section.text() + "\n\n| key | default | values | meaning |\n"
        + "| --- | --- | --- | --- |\n" + own(section).stream().map(OptionsPage::row).collect(Collectors.joining());
  }

  private static String row(Option<?> option) {
    return "| `" + option.path() + "` | " + option.defaultText() + " | " + option.values().replace("|", "\\|") + " | "
        + option.sentence() + " |\n";
  }
}
