package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.Cancellation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The calls that were made with one cancellation and have no outcome, in the order they were made in. */
public final class CancellationImpl implements Cancellation {

  /** Guarded by this. */
  private final Set<CancellableCall<?>> calls = new LinkedHashSet<>();
  /** Set while guarded by this, read anywhere. */
  private volatile boolean cancelled;

  /** A call begins; if it comes too late it finds so out on its loop. */
  synchronized void add(CancellableCall<?> call) {
    if (!cancelled) {
      calls.add(call);
    }
  }

  /** A call has its outcome. */
  synchronized void remove(CancellableCall<?> call) {
    calls.remove(call);
  }

  synchronized int size() {
    return calls.size();
  }

  @Override
  public void cancel() {
    List<CancellableCall<?>> all;
    synchronized (this) {
      cancelled = true;
      all = List.copyOf(calls);
      calls.clear();
    }
    all.forEach(CancellableCall::giveUp);
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }
}
