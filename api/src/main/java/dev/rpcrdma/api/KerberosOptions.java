// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.verbs.options.DeclaredOptions;
import dev.rpcrdma.verbs.options.JsonChecks;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import dev.rpcrdma.verbs.options.OptionValues;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Kerberos V (RFC 4120, RFC 4121), by which calls prove who makes them, and replies who answers. Realms, key
 * distribution centers and encryption types are those of the JDK's {@code krb5.conf}.
 *
 * <p>A client gets a ticket for the server, makes a security context by it with its first call, and another one when
 * the ticket's time is over. A server takes the calls of each principal that its keytab has a key for.
 */
public final class KerberosOptions extends DeclaredOptions {

  /** How many clients' contexts a server remembers. */
  public static final int DEFAULT_MAX_CONTEXTS = 4096;
  /** For how long a server takes a client's context. */
  public static final Duration DEFAULT_CONTEXT_TIME = Duration.ofHours(1);

  private static final OptionSet OPTIONS = new OptionSet("KerberosOptions", "Kerberos option");
  private static final Option<Optional<String>> PRINCIPAL = OPTIONS.add("principal",
      OptionType.optional(OptionType.filledText()), Optional.empty(),
      "who this end is, such as `alice@EXAMPLE.ORG`; of a client without it, whom its tickets are of, and of a "
          + "server without it, all whom its keytab has keys for");
  private static final Option<Optional<String>> KEYTAB = OPTIONS.add("keytab",
      OptionType.optional(OptionType.filledText()), Optional.empty(),
      "the file of its keys; of a server without it, the JDK's default keytab");
  private static final Option<Optional<String>> TICKET_CACHE = OPTIONS.add("ticketCache",
      OptionType.optional(OptionType.filledText()), Optional.empty(),
      "the file of the tickets of a client without a keytab; without it, that of the user who runs it");
  private static final Option<Optional<String>> SERVICE = OPTIONS.add("service",
      OptionType.optional(OptionType.filledText()), Optional.empty(),
      "the service that a client calls: `nfs`, on the host that is connected to, or `nfs@files.example.org`");
  private static final Option<Optional<String>> PEER = OPTIONS.add("peer", OptionType.optional(OptionType.filledText()),
      Optional.empty(),
      "the principal that a client calls, in place of a service");
  private static final Option<RpcProtection> PROTECTION = OPTIONS.add("protection",
      OptionType.constant(RpcProtection.class), RpcProtection.AUTHENTICATION,
      "what protects the calls of this end");
  private static final Option<Integer> MAX_CONTEXTS = OPTIONS.add("maxContexts",
      OptionType.int32(1, 1 << 20).unit("contexts"), DEFAULT_MAX_CONTEXTS,
      "contexts of those who call that are remembered; the one that was not used for longest goes before there are "
          + "more");
  private static final Option<Duration> CONTEXT_TIME = OPTIONS.add("contextTime",
      OptionType.duration(Duration.ofSeconds(1), Duration.ofDays(1)), DEFAULT_CONTEXT_TIME,
      "for how long a context of those who call is taken");

  /** As an option of others. */
  static final OptionType<KerberosOptions> TYPE = OptionType.of("an object", (name, json) ->
      new KerberosOptions(JsonChecks.typed(name, json, JsonObject.class, "an object")), KerberosOptions::toJson)
      .copied(KerberosOptions::new);

  /** Of a client: the tickets of the user who runs it. Of a server: the keys of the JDK's default keytab. */
  public KerberosOptions() {
    super(new OptionValues(OPTIONS));
  }

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public KerberosOptions(KerberosOptions other) {
    super(new OptionValues(other.values));
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default
   * @throws IllegalArgumentException if a key is unknown, or a value is not allowed, with what is
   */
  public KerberosOptions(JsonObject json) {
    super(new OptionValues(OPTIONS).read(json));
  }

  /**
   * The JSON form.
   *
   * @return one name for each setter; nothing for what is not set
   */
  public JsonObject toJson() {
    return values.toJson();
  }

  /**
   * Who this end is.
   *
   * @return empty for a client whose ticket cache says so, and for a server that is all whom its keytab has keys for
   */
  public Optional<String> getPrincipal() {
    return values.get(PRINCIPAL);
  }

  /**
   * Sets who this end is.
   *
   * @param name such as {@code alice@EXAMPLE.ORG} or {@code nfs/files.example.org@EXAMPLE.ORG}; the default realm if it
   *     has none
   * @return this
   */
  public KerberosOptions setPrincipal(String name) {
    return setSome(PRINCIPAL, name);
  }

  /**
   * Where its keys are.
   *
   * @return a file; empty for a client with a ticket cache, and for a server with the JDK's default keytab
   */
  public Optional<String> getKeytab() {
    return values.get(KEYTAB);
  }

  /**
   * Sets where its keys are. A file that is replaced is read anew.
   *
   * @param file a keytab
   * @return this
   */
  public KerberosOptions setKeytab(String file) {
    return setSome(KEYTAB, file);
  }

  /**
   * Where a client without a keytab has its tickets.
   *
   * @return a file; empty for that of the user who runs it
   */
  public Optional<String> getTicketCache() {
    return values.get(TICKET_CACHE);
  }

  /**
   * Sets where a client has its tickets.
   *
   * @param file a ticket cache, as {@code kinit} makes it
   * @return this
   */
  public KerberosOptions setTicketCache(String file) {
    return setSome(TICKET_CACHE, file);
  }

  /**
   * Which service of the peer is called.
   *
   * @return see {@link #setService}
   */
  public Optional<String> getService() {
    return values.get(SERVICE);
  }

  /**
   * Sets which service of the peer is called, so that its ticket is asked for. A client needs this or {@link #setPeer};
   * a server does so only for its own calls to clients.
   *
   * @param name such as {@code nfs}, on the host that is connected to, or {@code nfs@files.example.org}
   * @return this
   */
  public KerberosOptions setService(String name) {
    return setSome(SERVICE, name);
  }

  /**
   * Which principal is called.
   *
   * @return see {@link #setPeer}
   */
  public Optional<String> getPeer() {
    return values.get(PEER);
  }

  /**
   * Sets which principal is called, in place of a service.
   *
   * @param name such as {@code nfs/files.example.org@EXAMPLE.ORG}
   * @return this
   */
  public KerberosOptions setPeer(String name) {
    return setSome(PEER, name);
  }

  /**
   * What protects the calls of this end.
   *
   * @return AUTHENTICATION unless set
   */
  public RpcProtection getProtection() {
    return values.get(PROTECTION);
  }

  /**
   * Sets what protects the calls of this end. Calls that come in are protected as their callers choose.
   *
   * @param value the least that is enough: signing and encrypting takes time, and keeps data items from being placed;
   *     {@link RpcProtection#CHANNEL} does not, and needs TLS
   * @return this
   */
  public KerberosOptions setProtection(RpcProtection value) {
    return set(PROTECTION, value);
  }

  /**
   * How many contexts of those who call are remembered.
   *
   * @return a number
   */
  public int getMaxContexts() {
    return values.get(MAX_CONTEXTS);
  }

  /**
   * Sets how many contexts of those who call are remembered; the one that was not used for longest goes before there
   * are more, and its client makes another.
   *
   * @param count 1 to 2^20
   * @return this
   */
  public KerberosOptions setMaxContexts(int count) {
    return set(MAX_CONTEXTS, count);
  }

  /**
   * For how long a context of those who call is taken.
   *
   * @return a duration
   */
  public Duration getContextTime() {
    return values.get(CONTEXT_TIME);
  }

  /**
   * Sets for how long a context of those who call is taken. Its client makes another one then, which takes a ticket
   * that is good: the JDK does not tell a server how long the first one was.
   *
   * @param time 1 s to 1 day
   * @return this
   */
  public KerberosOptions setContextTime(Duration time) {
    return set(CONTEXT_TIME, time);
  }

  private KerberosOptions setSome(Option<Optional<String>> option, String value) {
    values.setSome(option, value);
    return this;
  }

  private <V> KerberosOptions set(Option<V> option, V value) {
    values.set(option, value);
    return this;
  }
}
