// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.api.impl.verticle.ConfigValues;
import dev.rpcrdma.verbs.support.SettingNames;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Kerberos V (RFC 4120, RFC 4121), by which calls prove who makes them, and replies who answers. Realms, key distribution
 * centers and encryption types are those of the JDK's {@code krb5.conf}.
 *
 * <p>A client gets a ticket for the server, makes a security context by it with its first call, and another one when the
 * ticket's time is over. A server takes the calls of each principal that its keytab has a key for.
 */
public final class KerberosOptions {

  /** How many clients' contexts a server remembers. */
  public static final int DEFAULT_MAX_CONTEXTS = 4096;
  /** For how long a server takes a client's context. */
  public static final Duration DEFAULT_CONTEXT_TIME = Duration.ofHours(1);

  private static final List<JsonOption<KerberosOptions>> JSON = List.of(
      JsonOption.text("principal", options -> options.principal, KerberosOptions::setPrincipal),
      JsonOption.text("keytab", options -> options.keytab, KerberosOptions::setKeytab),
      JsonOption.text("ticketCache", options -> options.ticketCache, KerberosOptions::setTicketCache),
      JsonOption.text("service", options -> options.service, KerberosOptions::setService),
      JsonOption.text("peer", options -> options.peer, KerberosOptions::setPeer),
      JsonOption.constant("protection", RpcProtection.class, KerberosOptions::getProtection,
          KerberosOptions::setProtection),
      JsonOption.int32("maxContexts", KerberosOptions::getMaxContexts, KerberosOptions::setMaxContexts),
      JsonOption.duration("contextTime", KerberosOptions::getContextTime, KerberosOptions::setContextTime));

  private String principal;
  private String keytab;
  private String ticketCache;
  private String service;
  private String peer;
  private RpcProtection protection = RpcProtection.AUTHENTICATION;
  private int maxContexts = DEFAULT_MAX_CONTEXTS;
  private Duration contextTime = DEFAULT_CONTEXT_TIME;

  /** Of a client: the tickets of the user who runs it. Of a server: the keys of the JDK's default keytab. */
  public KerberosOptions() {}

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public KerberosOptions(KerberosOptions other) {
    this(other.toJson());
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default, what is unknown is refused
   */
  public KerberosOptions(JsonObject json) {
    json.forEach(entry -> JSON.stream().filter(option -> option.name().equals(entry.getKey())).findFirst()
        .orElseThrow(() -> unknown(entry.getKey())).read(this, entry.getValue()));
  }

  private static IllegalArgumentException unknown(String name) {
    TreeSet<String> known = JSON.stream().map(JsonOption::name).collect(Collectors.toCollection(TreeSet::new));
    return new IllegalArgumentException("No such name in kerberos: " + name + SettingNames.guess(name, known)
        + "; there are " + String.join(", ", known));
  }

  static KerberosOptions of(String name, Object value) {
    return new KerberosOptions(ConfigValues.typed(name, value, JsonObject.class, "an object"));
  }

  /**
   * The JSON form.
   *
   * @return one name for each setter; nothing for what is not set
   */
  public JsonObject toJson() {
    JsonObject json = new JsonObject();
    JSON.forEach(option -> option.write(this, json));
    return json;
  }

  /**
   * Who this end is.
   *
   * @return empty for a client whose ticket cache says so, and for a server that is all whom its keytab has keys for
   */
  public Optional<String> getPrincipal() {
    return Optional.ofNullable(principal);
  }

  /**
   * Sets who this end is.
   *
   * @param name such as {@code alice@EXAMPLE.ORG} or {@code nfs/files.example.org@EXAMPLE.ORG}; the default realm if it
   *     has none
   * @return this
   */
  public KerberosOptions setPrincipal(String name) {
    principal = notEmpty("principal", name);
    return this;
  }

  /**
   * Where its keys are.
   *
   * @return a file; empty for a client with a ticket cache, and for a server with the JDK's default keytab
   */
  public Optional<String> getKeytab() {
    return Optional.ofNullable(keytab);
  }

  /**
   * Sets where its keys are. A file that is replaced is read anew.
   *
   * @param file a keytab
   * @return this
   */
  public KerberosOptions setKeytab(String file) {
    keytab = notEmpty("keytab", file);
    return this;
  }

  /**
   * Where a client without a keytab has its tickets.
   *
   * @return a file; empty for that of the user who runs it
   */
  public Optional<String> getTicketCache() {
    return Optional.ofNullable(ticketCache);
  }

  /**
   * Sets where a client has its tickets.
   *
   * @param file a ticket cache, as {@code kinit} makes it
   * @return this
   */
  public KerberosOptions setTicketCache(String file) {
    ticketCache = notEmpty("ticketCache", file);
    return this;
  }

  /**
   * Which service of the peer is called.
   *
   * @return see {@link #setService}
   */
  public Optional<String> getService() {
    return Optional.ofNullable(service);
  }

  /**
   * Sets which service of the peer is called, so that its ticket is asked for. A client needs this or {@link #setPeer};
   * a server does so only for its own calls to clients.
   *
   * @param name such as {@code nfs}, on the host that is connected to, or {@code nfs@files.example.org}
   * @return this
   */
  public KerberosOptions setService(String name) {
    service = notEmpty("service", name);
    return this;
  }

  /**
   * Which principal is called.
   *
   * @return see {@link #setPeer}
   */
  public Optional<String> getPeer() {
    return Optional.ofNullable(peer);
  }

  /**
   * Sets which principal is called, in place of a service.
   *
   * @param name such as {@code nfs/files.example.org@EXAMPLE.ORG}
   * @return this
   */
  public KerberosOptions setPeer(String name) {
    peer = notEmpty("peer", name);
    return this;
  }

  /**
   * What protects the calls of this end.
   *
   * @return AUTHENTICATION unless set
   */
  public RpcProtection getProtection() {
    return protection;
  }

  /**
   * Sets what protects the calls of this end. Calls that come in are protected as their callers choose.
   *
   * @param value the least that is enough: signing and encrypting takes time, and keeps data items from being placed;
   *     {@link RpcProtection#CHANNEL} does not, and needs TLS
   * @return this
   */
  public KerberosOptions setProtection(RpcProtection value) {
    protection = Objects.requireNonNull(value, "protection");
    return this;
  }

  /**
   * How many contexts of those who call are remembered.
   *
   * @return a number
   */
  public int getMaxContexts() {
    return maxContexts;
  }

  /**
   * Sets how many contexts of those who call are remembered; the one that was not used for longest goes before there are
   * more, and its client makes another.
   *
   * @param count 1 to 2^20
   * @return this
   */
  public KerberosOptions setMaxContexts(int count) {
    if (count < 1 || count > 1 << 20) {
      throw new IllegalArgumentException("maxContexts must be 1 to " + (1 << 20) + ", not " + count);
    }
    maxContexts = count;
    return this;
  }

  /**
   * For how long a context of those who call is taken.
   *
   * @return a duration
   */
  public Duration getContextTime() {
    return contextTime;
  }

  /**
   * Sets for how long a context of those who call is taken. Its client makes another one then, which takes a ticket that
   * is good: the JDK does not tell a server how long the first one was.
   *
   * @param time 1 s to 1 day
   * @return this
   */
  public KerberosOptions setContextTime(Duration time) {
    if (time.compareTo(Duration.ofSeconds(1)) < 0 || time.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("contextTime must be 1 s to 1 day, not " + time);
    }
    contextTime = time;
    return this;
  }

  private static String notEmpty(String name, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException(name + " is empty");
    }
    return value;
  }

  /** The JSON form; keys are in files. */
  @Override
  public String toString() {
    return toJson().encode();
  }
}
