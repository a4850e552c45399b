// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import dev.rpcrdma.testkit.FaultPlan.Step;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.ProtectionDomain;
import dev.rpcrdma.verbs.QueuePair;
import dev.rpcrdma.verbs.VerbsDevice;
import dev.rpcrdma.verbs.VerbsException;
import io.vertx.core.Future;
import java.nio.ByteBuffer;

/** Wraps the queue pairs and domains of a device. */
final class FaultyDevice extends DecoratedDevice {

  private final FaultPlan plan;

  FaultyDevice(VerbsDevice delegate, FaultPlan plan) {
    super(delegate);
    this.plan = plan;
  }

  @Override
  DecoratedQueuePair decorate(QueuePair queuePair, ConnectionOptions options) {
    return new FaultyQueuePair(queuePair, plan);
  }

  @Override
  public ProtectionDomain allocateProtectionDomain() {
    return new Domain(super.allocateProtectionDomain(), plan);
  }

  @Override
  ProtectionDomain own(ProtectionDomain domain) {
    return domain instanceof Domain wrapped ? wrapped.delegate : domain;
  }

  /** Refuses registrations. */
  private record Domain(ProtectionDomain delegate, FaultPlan plan) implements ProtectionDomain {

    @Override
    public Future<LocalMemory> register(ByteBuffer memory, LocalMemory.Backing backing) {
      return plan.fails(Step.REGISTER) ? Future.failedFuture(new VerbsException(
          VerbsException.Kind.RESOURCES, "Registration " + plan.count(Step.REGISTER)
              + " is refused on purpose")) : delegate.register(memory, backing);
    }

    @Override
    public int registrations() {
      return delegate.registrations();
    }

    @Override
    public Future<Void> close() {
      return delegate.close();
    }
  }
}
