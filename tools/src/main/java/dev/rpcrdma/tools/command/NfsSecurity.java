// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcUser;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** How clients say who they are, by the names that {@code mount} has for it ({@code sec=krb5i}). */
public enum NfsSecurity {
  /** AUTH_SYS, or nothing. */
  SYS(AuthFlavor.SYS, null),
  /** Kerberos, which signs heads of calls. */
  KRB5(390_003, RpcProtection.AUTHENTICATION),
  /** Kerberos, which signs calls. */
  KRB5I(390_004, RpcProtection.INTEGRITY),
  /** Kerberos, which encrypts calls. */
  KRB5P(390_005, RpcProtection.PRIVACY);

  private final int flavor;
  /** Null for none. */
  private final RpcProtection protection;

  NfsSecurity(int flavor, RpcProtection protection) {
    this.flavor = flavor;
    this.protection = protection;
  }

  /**
   * The number that MOUNT says it by (RFC 2623 §4.2, §4.3).
   *
   * @return a flavor, or a pseudo flavor of RPCSEC_GSS
   */
  public int flavor() {
    return flavor;
  }

  /**
   * Whether it takes Kerberos.
   *
   * @return false for {@link #SYS}
   */
  public boolean isKerberos() {
    return protection != null;
  }

  /**
   * What Kerberos does for calls.
   *
   * @return empty without Kerberos
   */
  public Optional<RpcProtection> protection() {
    return Optional.ofNullable(protection);
  }

  /**
   * Whether a call was made in this way.
   *
   * @param user of the call
   * @return true if just so
   */
  public boolean is(Optional<RpcUser> user) {
    return user.flatMap(RpcUser::protection).orElse(null) == protection;
  }

  /**
   * Reads a list.
   *
   * @param text names with colons between them, such as {@code sys:krb5p}
   * @return what they name
   * @throws IllegalArgumentException if one names nothing
   */
  public static Set<NfsSecurity> parse(String text) {
    Set<NfsSecurity> all = EnumSet.noneOf(NfsSecurity.class);
    for (String name : text.split(":", -1)) {
      all.add(Arrays.stream(values()).filter(each -> each.toString().equals(name)).findFirst()
          .orElseThrow(() -> new IllegalArgumentException("Not one of sys, krb5, krb5i and krb5p: '" + name + "'")));
    }
    return all;
  }

  /** As {@code mount} has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
