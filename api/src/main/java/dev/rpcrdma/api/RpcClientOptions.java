package dev.rpcrdma.api;

import io.vertx.core.json.JsonObject;

/** What a {@link RpcClient} wants. */
public final class RpcClientOptions extends RpcOptions<RpcClientOptions> {

  /** The defaults. */
  public RpcClientOptions() {}

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public RpcClientOptions(RpcClientOptions other) {
    super(other);
  }

  /**
   * Options from their JSON form.
   *
   * @param json see {@link #toJson()}; what is missing keeps its default, what is unknown is refused
   */
  public RpcClientOptions(JsonObject json) {
    super(json);
  }

  @Override
  RpcClientOptions self() {
    return this;
  }
}
