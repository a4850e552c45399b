package dev.rpcrdma.api;

import io.vertx.core.json.JsonObject;

/** What a {@link RpcServer} wants. */
public final class RpcServerOptions extends RpcOptions<RpcServerOptions> {

  /** The defaults. */
  public RpcServerOptions() {}

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public RpcServerOptions(RpcServerOptions other) {
    super(other);
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default, what is unknown is refused
   */
  public RpcServerOptions(JsonObject json) {
    super(json);
  }

  @Override
  RpcServerOptions self() {
    return this;
  }
}
