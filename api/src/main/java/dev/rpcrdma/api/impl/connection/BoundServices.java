// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.verbs.vertx.Contexts;
import io.vertx.core.Closeable;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Services that a server or a channel serves over all its connections. A service that another verticle than the owner's
 * has bound goes when that is undeployed. From any thread.
 */
public final class BoundServices {

  private final String owner;
  private final Context context;
  private final Runnable whenLeft;
  /** Replaced with each change, so that readers see by its identity whether there was one. */
  private volatile List<BoundService> all = List.of();
  /** Guarded by this. */
  private final Map<BoundService, Closeable> hooks = new HashMap<>();

  /**
   * Serves nothing yet.
   *
   * @param owner for messages, such as "The server"
   * @param context of the owner
   * @param whenLeft run when a service has gone with its verticle
   */
  public BoundServices(String owner, Context context, Runnable whenLeft) {
    this.owner = owner;
    this.context = Contexts.unwrap(context);
    this.whenLeft = whenLeft;
  }

  /** All in the order in which they were bound; the same list until something changes. */
  public List<BoundService> all() {
    return all;
  }

  /**
   * Adds a service.
   *
   * @throws IllegalArgumentException if another one has the same program and version
   */
  public synchronized void add(BoundService service) {
    UpperLayerBinding binding = service.binding();
    if (all.stream().anyMatch(other -> other.serves(binding))) {
      throw new IllegalArgumentException(owner + " serves " + binding.describe() + " already");
    }
    List<BoundService> more = new ArrayList<>(all);
    more.add(service);
    if (service.context() != context) {
      Closeable hook = completion -> {
        if (remove(other -> other == service)) {
          whenLeft.run();
        }
        completion.succeed();
      };
      hooks.put(service, hook);
      Contexts.addCloseHook(service.context(), hook);
    }
    all = List.copyOf(more);
  }

  /**
   * Removes a service.
   *
   * @return false if none has the program and version
   */
  public boolean remove(UpperLayerBinding binding) {
    return remove(service -> service.serves(binding));
  }

  private synchronized boolean remove(Predicate<BoundService> which) {
    List<BoundService> gone = all.stream().filter(which).toList();
    if (gone.isEmpty()) {
      return false;
    }
    gone.forEach(this::forgetHook);
    all = all.stream().filter(which.negate()).toList();
    return true;
  }

  /** The owner is closed, whichever verticles live on. */
  public synchronized void close() {
    all.forEach(this::forgetHook);
  }

  private void forgetHook(BoundService service) {
    Closeable hook = hooks.remove(service);
    if (hook != null) {
      Contexts.removeCloseHook(service.context(), hook);
    }
  }
}
