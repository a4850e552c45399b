// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import dev.rpcrdma.api.Cancellation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What was begun with one cancellation and has no outcome, such as calls, in the order it was begun in. */
public final class CancellationImpl implements Cancellation {

  /** Guarded by this. */
  private final Set<Cancellable> begun = new LinkedHashSet<>();
  /** Set while guarded by this, read anywhere. */
  private volatile boolean cancelled;

  /** Something begins; if it comes too late it finds so out by itself. */
  public synchronized void add(Cancellable cancellable) {
    if (!cancelled) {
      begun.add(cancellable);
    }
  }

  /** Something has its outcome. */
  public synchronized void remove(Cancellable cancellable) {
    begun.remove(cancellable);
  }

  synchronized int size() {
    return begun.size();
  }

  @Override
  public void cancel() {
    List<Cancellable> all;
    synchronized (this) {
      cancelled = true;
      all = List.copyOf(begun);
      begun.clear();
    }
    all.forEach(Cancellable::giveUp);
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }
}
