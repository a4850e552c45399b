// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.replicated;

import dev.rpcrdma.api.impl.verticle.ConfigValues;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/** What {@link ReplicatedReplies} keep, and for how long. The same at all servers of a program. */
public final class ReplicatedRepliesOptions {

  /** The name of the map. */
  public static final String DEFAULT_MAP_NAME = "rpcrdma.replies";
  /** How long an entry is kept that nobody changes. */
  public static final Duration DEFAULT_ENTRY_TIME = Duration.ofMinutes(30);
  /** How long one operation on the map may take. */
  public static final Duration DEFAULT_MAP_TIMEOUT = Duration.ofSeconds(2);
  /** The largest reply that is kept. */
  public static final int DEFAULT_MAX_REPLY_BYTES = 64 * 1024;

  private static final String MAP_NAME = "mapName";
  private static final String ENTRY_TIME = "entryTime";
  private static final String MAP_TIMEOUT = "mapTimeout";
  private static final String MAX_REPLY_BYTES = "maxReplyBytes";
  private static final Set<String> ALL = Set.of(MAP_NAME, ENTRY_TIME, MAP_TIMEOUT, MAX_REPLY_BYTES);

  private String mapName = DEFAULT_MAP_NAME;
  private Duration entryTime = DEFAULT_ENTRY_TIME;
  private Duration mapTimeout = DEFAULT_MAP_TIMEOUT;
  private int maxReplyBytes = DEFAULT_MAX_REPLY_BYTES;

  /** The defaults. */
  public ReplicatedRepliesOptions() {}

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public ReplicatedRepliesOptions(ReplicatedRepliesOptions other) {
    this.mapName = other.mapName;
    this.entryTime = other.entryTime;
    this.mapTimeout = other.mapTimeout;
    this.maxReplyBytes = other.maxReplyBytes;
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default
   * @throws IllegalArgumentException if a key is unknown, or a value is not allowed, with what is
   */
  public ReplicatedRepliesOptions(JsonObject json) {
    ConfigValues.checkKeys(json, ALL, "the options");
    setMapName(ConfigValues.value(json, MAP_NAME, String.class, "a text", mapName));
    setEntryTime(ConfigValues.duration(json, ENTRY_TIME, entryTime));
    setMapTimeout(ConfigValues.duration(json, MAP_TIMEOUT, mapTimeout));
    setMaxReplyBytes(ConfigValues.value(json, MAX_REPLY_BYTES, Integer.class, "a whole number", maxReplyBytes));
  }

  /**
   * The JSON form.
   *
   * @return all options; times in milliseconds
   */
  public JsonObject toJson() {
    return new JsonObject().put(MAP_NAME, mapName).put(ENTRY_TIME, entryTime.toMillis())
        .put(MAP_TIMEOUT, mapTimeout.toMillis()).put(MAX_REPLY_BYTES, maxReplyBytes);
  }

  /**
   * The name of the map: backups, and what a minority may do, are configured for it.
   *
   * @return {@value #DEFAULT_MAP_NAME} by default
   */
  public String getMapName() {
    return mapName;
  }

  /**
   * Sets the name of the map. Programs may share one.
   *
   * @param value not empty
   * @return this
   */
  public ReplicatedRepliesOptions setMapName(String value) {
    if (Objects.requireNonNull(value, "mapName").isEmpty()) {
      throw new IllegalArgumentException("mapName must not be empty");
    }
    mapName = value;
    return this;
  }

  /**
   * For how long an entry is kept that nobody changes, where the map can be told so with each change. A map of
   * Hazelcast cannot: it is configured there ({@code time-to-live-seconds}).
   *
   * @return 30 minutes by default
   */
  public Duration getEntryTime() {
    return entryTime;
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
    entryTime = within(ENTRY_TIME, value, Duration.ofSeconds(1), Duration.ofDays(30));
    return this;
  }

  /**
   * How long one operation on the map may take. A claim that takes longer has failed, and its call is not executed
   * here; a store that takes longer has failed, and its call is answered all the same.
   *
   * @return 2 s by default
   */
  public Duration getMapTimeout() {
    return mapTimeout;
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
    mapTimeout = within(MAP_TIMEOUT, value, Duration.ofMillis(1), Duration.ofHours(1));
    return this;
  }

  /**
   * The largest reply that is kept, encoded.
   *
   * @return 64 KiB by default
   */
  public int getMaxReplyBytes() {
    return maxReplyBytes;
  }

  /**
   * Sets the largest reply that is kept. Of a larger one is kept that it was there: its caller gets it, and a
   * repetition fails with {@code maybeExecuted()}.
   *
   * @param value 0 to 16 MiB
   * @return this
   */
  public ReplicatedRepliesOptions setMaxReplyBytes(int value) {
    if (value < 0 || value > 16 << 20) {
      throw new IllegalArgumentException("maxReplyBytes must be 0 to " + (16 << 20) + ", not " + value);
    }
    maxReplyBytes = value;
    return this;
  }

  private static Duration within(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(name + " must be " + least + " to " + most + ", not " + value);
    }
    return value;
  }
}
