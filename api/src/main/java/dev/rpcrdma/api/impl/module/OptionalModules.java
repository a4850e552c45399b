// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.module;

import dev.rpcrdma.verbs.support.Causes;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
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

  /** A loader that fails each time it is asked fails for ever. */
  private static final int MOST_FAILURES = 100;

  private final Map<Class<?>, T> found = new LinkedHashMap<>();
  /** Without those that both class loaders have. */
  private final Set<String> failures = new LinkedHashSet<>();

  private OptionalModules() {}

  /**
   * Finds all implementations of a service.
   *
   * @param service named by {@code uses} in the descriptor of this module
   */
  public static <T> OptionalModules<T> of(Class<T> service) {
    OptionalModules<T> modules = new OptionalModules<>();
    for (ClassLoader loader : new ClassLoader[] {service.getClassLoader(),
        Thread.currentThread().getContextClassLoader()}) {
      modules.read(ServiceLoader.load(service, loader).stream().iterator());
    }
    return modules;
  }

  private void read(Iterator<ServiceLoader.Provider<T>> providers) {
    for (int failed = 0; failed < MOST_FAILURES; failed++) {
      try {
        while (providers.hasNext()) {
          ServiceLoader.Provider<T> provider = providers.next();
          if (!found.containsKey(provider.type())) {
            found.put(provider.type(), provider.get());
          }
        }
        return;
      } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
        // Java goes on with the next one.
        failures.add(Causes.message(e));
      }
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
