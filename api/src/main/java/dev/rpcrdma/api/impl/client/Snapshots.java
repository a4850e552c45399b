// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import dev.rpcrdma.api.ChannelSnapshot;
import io.vertx.core.net.Address;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The picture of a channel that consists of others. */
final class Snapshots {

  private Snapshots() {}

  /**
   * Puts the pictures of parts together.
   *
   * @param failure why there is nothing to choose from; null if there is
   */
  static ChannelSnapshot sum(Address address, List<ChannelSnapshot> parts, String failure) {
    boolean connected = parts.stream().anyMatch(ChannelSnapshot::connected);
    List<ChannelSnapshot> deciding = parts.stream().filter(part -> part.connected() == connected).toList();
    Comparator<ChannelSnapshot> byTime = Comparator.comparing(ChannelSnapshot::since);
    Optional<ChannelSnapshot> first = connected ? deciding.stream().max(byTime) : deciding.stream().min(byTime);
    Optional<String> lastFailure = Optional.ofNullable(failure).or(() -> parts.stream()
        .filter(part -> part.lastFailure().isPresent()).min(byTime).flatMap(ChannelSnapshot::lastFailure));
    return new ChannelSnapshot(address, first.flatMap(ChannelSnapshot::provider), connected,
        first.map(ChannelSnapshot::since).orElse(Duration.ZERO), lastFailure,
        sum(parts, ChannelSnapshot::connections), sum(parts, ChannelSnapshot::callsPending),
        sum(parts, ChannelSnapshot::callsWaiting), sum(parts, ChannelSnapshot::replays),
        sum(parts, ChannelSnapshot::fallbacks), parts);
  }

  private static long sum(List<ChannelSnapshot> parts, ToLongFunction<ChannelSnapshot> count) {
    return parts.stream().mapToLong(count).sum();
  }
}
