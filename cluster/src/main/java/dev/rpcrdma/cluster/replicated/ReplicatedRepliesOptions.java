// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.replicated;

import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** What {@link ReplicatedReplies} keep, and for how long. The same at all servers of a program. */
public final class ReplicatedRepliesOptions extends DeclaredOptions {

  /** The name of the map. */
  public static final String DEFAULT_MAP_NAME = "rpcrdma.replies";
  /** How long an entry is kept that nobody changes. */
  public static final Duration DEFAULT_ENTRY_TIME = Duration.ofMinutes(30);
  /** How long one operation on the map may take. */
  public static final Duration DEFAULT_MAP_TIMEOUT = Duration.ofSeconds(2);
  /** The largest reply that is kept. */
  public static final int DEFAULT_MAX_REPLY_BYTES = 64 * 1024;

  private static final OptionSet OPTIONS = new OptionSet("ReplicatedRepliesOptions", "option");
  private static final Option<String> MAP_NAME = OPTIONS.add("mapName", OptionType.filledText(), DEFAULT_MAP_NAME,
      "the name of the map: backups, and what a minority may do, are configured for it");
  private static final Option<Duration> ENTRY_TIME = OPTIONS.add("entryTime",
      OptionType.duration(Duration.ofSeconds(1), Duration.ofDays(30)), DEFAULT_ENTRY_TIME,
      "for how long an entry is kept that nobody changes; a map of Hazelcast is told so by its own configuration");
  private static final Option<Duration> MAP_TIMEOUT = OPTIONS.add("mapTimeout",
      OptionType.duration(Duration.ofMillis(1), Duration.ofHours(1)), DEFAULT_MAP_TIMEOUT,
      "how long one operation on the map may take");
  private static final Option<Integer> MAX_REPLY_BYTES = OPTIONS.add("maxReplyBytes",
      OptionType.int32(0, 16 << 20).unit("bytes"), DEFAULT_MAX_REPLY_BYTES,
      "the largest reply that is kept, encoded; of a larger one is kept that it was there");

  /** The defaults. */
  public ReplicatedRepliesOptions() {
    super(new OptionValues(OPTIONS));
  }

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public ReplicatedRepliesOptions(ReplicatedRepliesOptions other) {
    super(new OptionValues(other.values));
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default
   * @throws IllegalArgumentException if a key is unknown, or a value is not allowed, with what is
   */
  public ReplicatedRepliesOptions(JsonObject json) {
    super(new OptionValues(OPTIONS).read(json));
  }

  /**
   * The JSON form.
   *
   * @return all options
   */
  public JsonObject toJson() {
    return values.toJson();
  }

  /**
   * The name of the map: backups, and what a minority may do, are configured for it.
   *
   * @return {@value #DEFAULT_MAP_NAME} by default
   */
  public String getMapName() {
    return values.get(MAP_NAME);
  }

  /**
   * Sets the name of the map. Programs may share one.
   *
   * @param value not empty
   * @return this
   */
  public ReplicatedRepliesOptions setMapName(String value) {
    return set(MAP_NAME, value);
  }

  /**
   * For how long an entry is kept that nobody changes, where the map can be told so with each change. A map of
   * Hazelcast cannot: it is configured there ({@code time-to-live-seconds}).
   *
   * @return 30 minutes by default
   */
  public Duration getEntryTime() {
    return values.get(ENTRY_TIME);
  }

  /**
   * Sets for how long an entry is kept that nobody changes. It has to be longer than the timeout of any call, than any
   * service takes, and than any message or process can be held up: a message that comes after the entry has gone is
   * executed.
   *
   * @param value 1 s to 30 days
   * @return this
   */
  public ReplicatedRepliesOptions setEntryTime(Duration value) {
    return set(ENTRY_TIME, value);
  }

  /**
   * How long one operation on the map may take. A claim that takes longer has failed, and its call is not executed
   * here; a store that takes longer has failed, and its call is answered all the same.
   *
   * @return 2 s by default
   */
  public Duration getMapTimeout() {
    return values.get(MAP_TIMEOUT);
  }

  /**
   * Sets how long one operation on the map may take. A claim takes one or two, more if others change the entry
   * meanwhile, and no longer than its call may; taking back one that failed, and storing the reply, take one more each,
   * also beyond that.
   *
   * @param value 1 ms to 1 hour
   * @return this
   */
  public ReplicatedRepliesOptions setMapTimeout(Duration value) {
    return set(MAP_TIMEOUT, value);
  }

  /**
   * The largest reply that is kept, encoded.
   *
   * @return 64 KiB by default
   */
  public int getMaxReplyBytes() {
    return values.get(MAX_REPLY_BYTES);
  }

  /**
   * Sets the largest reply that is kept. Of a larger one is kept that it was there: its caller gets it, and a
   * repetition fails with {@code maybeExecuted()}.
   *
   * @param value 0 to 16 MiB
   * @return this
   */
  public ReplicatedRepliesOptions setMaxReplyBytes(int value) {
    return set(MAX_REPLY_BYTES, value);
  }

  private <V> ReplicatedRepliesOptions set(Option<V> option, V value) {
    values.set(option, value);
    return this;
  }
}
