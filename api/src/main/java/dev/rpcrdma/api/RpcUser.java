package dev.rpcrdma.api;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Who calls, as far as the server knows.
 *
 * @param name of AUTH_SYS {@code uid:1000}; of TLS the subject of the certificate; of a token what its verifier says.
 *     Two calls of one name are of one user
 * @param attributes of AUTH_SYS {@code uid}, {@code gid}, {@code gids} and {@code machine}; of others what is known
 * @param validFor how long a token's verdict holds; empty for as long as the client is remembered
 */
public record RpcUser(String name, JsonObject attributes, Optional<Duration> validFor) {

  /** Takes a copy of the attributes. */
  public RpcUser {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(validFor, "validFor");
    attributes = attributes.copy();
  }

  /**
   * A user of whom nothing else is known.
   *
   * @param name see above
   */
  public RpcUser(String name) {
    this(name, new JsonObject(), Optional.empty());
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
