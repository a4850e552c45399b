// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.module;

import dev.rpcrdma.verbs.support.Causes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * What modules on the class path or module path, and those that the thread's context class loader sees, provide of a
 * service. One that cannot be made takes no other down; its failure is told if it was the one that is missing.
 *
 * @param <T> the service
 */
public final class OptionalModules<T> {

  /** A loader that fails each time it is asked fails for ever. */
  private static final int MOST_FAILURES = 100;

  private final Map<Class<?>, T> found = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();

  private OptionalModules() {}

  /**
   * Looks for all of a service.
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

  /** Those that could be made, in the order of the class path. */
  public List<T> all() {
    return List.copyOf(found.values());
  }

  /**
   * The failure of a setting whose module is not there.
   *
   * @param setting its name
   * @param artifact of the module
   */
  public IllegalArgumentException missing(String setting, String artifact) {
    return new IllegalArgumentException(setting + " needs the artifact " + artifact + ", which is not on the class path"
        + (failures.isEmpty() ? "" : ", or cannot be used: " + String.join("; ", failures)));
  }
}
