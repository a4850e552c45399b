// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.kerberos.gss.GssFailure;
import dev.rpcrdma.verbs.base.Causes;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.ietf.jgss.GSSException;

/**
 * Who this end is: its keys, or its ticket, which is asked for when it is needed, and again before its time is over. From
 * any thread, which may have to wait for a key distribution center.
 */
final class KerberosLogin {

  private static final String MODULE = "com.sun.security.auth.module.Krb5LoginModule";
  /** A ticket that is good for less than that makes no contexts that are worth it. */
  private static final Duration LEAST = Duration.ofMinutes(1);

  private final Map<String, String> settings;
  /** Guarded by this: null until needed, and when it was of no use. */
  private Subject subject;

  private KerberosLogin(Map<String, String> settings) {
    this.settings = Map.copyOf(settings);
  }

  /** With a ticket, of a keytab or a cache. */
  static KerberosLogin initiator(KerberosOptions options) {
    Map<String, String> settings = settings();
    options.getPrincipal().ifPresent(name -> settings.put("principal", name));
    if (options.getKeytab().isPresent()) {
      keytab(options, settings);
    } else {
      settings.put("useTicketCache", "true");
      options.getTicketCache().ifPresent(file -> settings.put("ticketCache", file));
    }
    return new KerberosLogin(settings);
  }

  /** With keys. */
  static KerberosLogin acceptor(KerberosOptions options) {
    Map<String, String> settings = settings();
    settings.put("principal", options.getPrincipal().orElse("*"));
    settings.put("isInitiator", "false");
    keytab(options, settings);
    return new KerberosLogin(settings);
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("doNotPrompt", "true");
    // Else a process would have for ever what krb5.conf said when it began.
    settings.put("refreshKrb5Config", "true");
    return settings;
  }

  private static void keytab(KerberosOptions options, Map<String, String> settings) {
    settings.put("useKeyTab", "true");
    settings.put("storeKey", "true");
    options.getKeytab().ifPresent(file -> settings.put("keyTab", file));
  }

  /** Something that GSS-API does as this end. */
  interface Action<T> {
    T run(Subject self) throws GSSException;
  }

  /**
   * Does it.
   *
   * @throws GssFailure if this end cannot prove who it is, or GSS-API fails
   */
  <T> T as(Action<T> action) throws GssFailure {
    Subject self = subject();
    try {
      return Subject.doAs(self, (PrivilegedExceptionAction<T>) () -> action.run(self));
    } catch (PrivilegedActionException e) {
      forget(self);
      throw Statuses.failure((GSSException) e.getException());
    }
  }

  private synchronized Subject subject() throws GssFailure {
    if (subject == null || !isGood(subject)) {
      subject = login();
    }
    return subject;
  }

  private static boolean isGood(Subject subject) {
    Instant least = Instant.now().plus(LEAST);
    return subject.getPrivateCredentials(KerberosTicket.class).stream().filter(KerberosLogin::grantsTickets)
        .allMatch(ticket -> ticket.getEndTime() != null && ticket.getEndTime().toInstant().isAfter(least));
  }

  private static boolean grantsTickets(KerberosTicket ticket) {
    return ticket.getServer().getName().startsWith("krbtgt/");
  }

  /** For how long the ticket for a peer is good, or, if it is not found, the one that it was got by. */
  static Duration ticketTime(Subject self, String peer) {
    Instant now = Instant.now();
    return self.getPrivateCredentials(KerberosTicket.class).stream()
        .filter(ticket -> ticket.getServer().getName().equals(peer) || grantsTickets(ticket))
        .map(KerberosTicket::getEndTime).filter(Objects::nonNull)
        .map(end -> Duration.between(now, end.toInstant())).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
  }

  /** What has failed may have been mended by the next time. */
  private synchronized void forget(Subject failed) {
    if (subject == failed) {
      subject = null;
    }
  }

  private Subject login() throws GssFailure {
    try {
      LoginContext context = new LoginContext(MODULE, new Subject(), null, new Configuration() {
        @Override
        public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
          return new AppConfigurationEntry[] {
              new AppConfigurationEntry(MODULE, LoginModuleControlFlag.REQUIRED, settings)};
        }
      });
      context.login();
      return context.getSubject();
    } catch (LoginException e) {
      throw Statuses.noCredential(describe() + " cannot prove who it is: " + Causes.message(e));
    }
  }

  private String describe() {
    String who = settings.getOrDefault("principal", "the user of the ticket cache");
    return settings.containsKey("keyTab") ? who + ", by " + settings.get("keyTab") + "," : who;
  }
}
