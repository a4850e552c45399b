// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import dev.rpcrdma.verbs.base.Causes;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Objects;

/**
 * A provider that throws nothing when it is asked about this machine: what the one behind it throws is the reason why it
 * cannot be used. Native libraries fail in errors of linking, which nobody who asks expects.
 */
final class GuardedProvider implements VerbsProvider {

  private static final String REMEDY = "If it is not needed, leave its jar out; else add what is missing";

  private final VerbsProvider provider;
  private final String name;
  private final int priority;

  GuardedProvider(VerbsProvider provider) {
    this.provider = provider;
    this.name = Objects.requireNonNull(provider.name(), "It has no name");
    this.priority = provider.priority();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public ProviderStatus probe() {
    try {
      return Objects.requireNonNull(provider.probe(), "It does not say whether it can be used");
    } catch (Throwable e) {
      return failed(e);
    }
  }

  @Override
  public List<Finding> examine() {
    try {
      return List.copyOf(provider.examine());
    } catch (Throwable e) {
      return List.of(finding(name, e));
    }
  }

  @Override
  public List<DeviceDescription> devices() {
    try {
      return List.copyOf(provider.devices());
    } catch (Throwable e) {
      // Why there are none is what the examination says.
      return List.of();
    }
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    try {
      return Objects.requireNonNull(provider.open(vertx, options), "It has opened nothing");
    } catch (LinkageError | NullPointerException e) {
      throw unavailable(name, e);
    }
  }

  static VerbsException unavailable(String name, Throwable cause) {
    ProviderStatus status = failed(cause);
    return new VerbsException(VerbsException.Kind.UNAVAILABLE,
        "RDMA provider '" + name + "' cannot be used: " + status.reason() + " " + status.remedy(), cause);
  }

  static ProviderStatus failed(Throwable cause) {
    return ProviderStatus.unusable(reason(cause) + ".", REMEDY + ".");
  }

  static Finding finding(String name, Throwable cause) {
    return Finding.problem(name, reason(cause), REMEDY);
  }

  private static String reason(Throwable thrown) {
    return "It has failed: " + Causes.innermost(thrown);
  }
}
