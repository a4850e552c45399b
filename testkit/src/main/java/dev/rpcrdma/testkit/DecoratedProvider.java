// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.verbs.DeviceDescription;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Finding;
import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsProvider;
import io.vertx.core.Vertx;
import java.util.List;

/** A provider of another one's devices, each of which is decorated. */
abstract class DecoratedProvider implements VerbsProvider {

  private final VerbsProvider delegate;

  DecoratedProvider(VerbsProvider delegate) {
    this.delegate = delegate;
  }

  /** Decorates a device that was opened. */
  abstract VerbsDevice decorate(VerbsDevice device);

  @Override
  public String name() {
    return delegate.name();
  }

  @Override
  public int priority() {
    return delegate.priority();
  }

  @Override
  public ProviderStatus probe() {
    return delegate.probe();
  }

  @Override
  public List<Finding> examine() {
    return delegate.examine();
  }

  @Override
  public List<DeviceDescription> devices() {
    return delegate.devices();
  }

  @Override
  public VerbsDevice open(Vertx vertx, DeviceOptions options) {
    return decorate(delegate.open(vertx, options));
  }
}
