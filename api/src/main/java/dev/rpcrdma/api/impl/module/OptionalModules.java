// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.module;

import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.base.FoundServices;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Implementations of a service by modules on the class path or module path, and by those that the thread's context
 * class loader sees. An implementation that cannot be created affects no other one; its failure is part of the message
 * if the wanted one is missing.
 *
 * @param <T> the service
 */
public final class OptionalModules<T> {

  private final Map<Class<?>, T> found = new LinkedHashMap<>();
  /** Without those that both class loaders have. */
  private final Set<String> failures = new LinkedHashSet<>();

  private OptionalModules() {}

  /** Returns no implementation; no jar is read for it. */
  public static <T> OptionalModules<T> none() {
    return new OptionalModules<>();
  }

  /**
   * Finds all implementations of a service.
   *
   * @param service named by {@code uses} in the descriptor of this module
   */
  public static <T> OptionalModules<T> of(Class<T> service) {
    OptionalModules<T> modules = new OptionalModules<>();
    for (ClassLoader loader : new ClassLoader[] {service.getClassLoader(),
        Thread.currentThread().getContextClassLoader()}) {
      FoundServices.each(ServiceLoader.load(service, loader).stream().iterator(), modules::make,
          failure -> modules.failures.add(Causes.message(failure)));
    }
    return modules;
  }

  private void make(ServiceLoader.Provider<T> provider) {
    if (!found.containsKey(provider.type())) {
      found.put(provider.type(), provider.get());
    }
  }

  /** Returns the implementations that could be created, in the order of the class path. */
  public List<T> all() {
    return List.copyOf(found.values());
  }

  /**
   * Returns the failure of a setting whose module is missing.
   *
   * @param setting its name
   * @param artifact of the module
   */
  public IllegalArgumentException missing(String setting, String artifact) {
    return new IllegalArgumentException(setting + " needs the artifact " + artifact + ", which is not on the class path"
        + (failures.isEmpty() ? "" : ", or cannot be used: " + String.join("; ", failures)));
  }
}
