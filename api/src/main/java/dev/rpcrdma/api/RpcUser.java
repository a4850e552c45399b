// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Who calls, as far as the server knows.
 *
 * @param name of AUTH_SYS {@code uid:1000}; of Kerberos the principal, such as {@code alice@EXAMPLE.ORG}; of TLS the
 *     subject of the certificate; of a token what its verifier says. Two calls of one name are of one user
 * @param attributes of AUTH_SYS {@code uid}, {@code gid}, {@code gids} and {@code machine}; of a certificate its
 *     alternative names, of each kind that it has an array: {@code dns}, {@code uri}, {@code email} and {@code ip}; of
 *     Kerberos {@code protection}, a name of {@link RpcProtection}; of a token what its verifier says
 * @param validFor how long a token's verdict holds; empty for as long as the client is remembered
 * @param proof how the server knows
 */
public record RpcUser(String name, JsonObject attributes, Optional<Duration> validFor, Proof proof) {

  /** How a server knows who calls. */
  public enum Proof {
    /** The caller says so: AUTH_SYS. */
    NONE,
    /** The certificate of the connection's peer, which TLS has checked. */
    CERTIFICATE,
    /** A ticket of Kerberos, by whose key the call is signed. */
    KERBEROS,
    /** A token, which a {@link TokenVerifier} has accepted. */
    TOKEN
  }

  /** Takes a copy of the attributes. */
  public RpcUser {
    Objects.requireNonNull(proof, "proof");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(validFor, "validFor");
    attributes = attributes.copy();
  }

  /**
   * A user whose token is accepted.
   *
   * @param name see above
   * @param attributes what is known
   * @param validFor how long the verdict holds
   */
  public RpcUser(String name, JsonObject attributes, Optional<Duration> validFor) {
    this(name, attributes, validFor, Proof.TOKEN);
  }

  /**
   * A user whose token is accepted, and of whom nothing else is known.
   *
   * @param name see above
   */
  public RpcUser(String name) {
    this(name, new JsonObject(), Optional.empty());
  }

  /**
   * How Kerberos protects the call.
   *
   * @return empty if something else proves who calls, or nothing
   */
  public Optional<RpcProtection> protection() {
    return proof == Proof.KERBEROS ? Optional.of(RpcProtection.valueOf(attributes.getString("protection")))
        : Optional.empty();
  }

  /**
   * What is known.
   *
   * @return a copy
   */
  @Override
  public JsonObject attributes() {
    return attributes.copy();
  }
}
