// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The providers that a class loader sees, by the names of their classes. One that cannot be made is among them. */
final class FoundProviders {

  /** In what {@link ServiceLoader} says, behind the name of the service. */
  private static final Pattern CLASS = Pattern.compile(": (?:Provider )?([\\w.$]+) not ");

  private final Map<String, VerbsProvider> found = new LinkedHashMap<>();

  private FoundProviders() {}

  static Map<String, VerbsProvider> by(ClassLoader loader) {
    FoundProviders providers = new FoundProviders();
    providers.read(ServiceLoader.load(VerbsProvider.class, loader).stream().iterator());
    return providers.found;
  }

  private void read(Iterator<ServiceLoader.Provider<VerbsProvider>> classes) {
    String failure = null;
    while (true) {
      try {
        if (!classes.hasNext()) {
          return;
        }
        make(classes.next());
      } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
        // Java goes on with the next one; what it fails in again it will not get past.
        if (String.valueOf(e.getMessage()).equals(failure)) {
          return;
        }
        failure = String.valueOf(e.getMessage());
        Matcher named = CLASS.matcher(failure);
        failed(named.find() ? named.group(1) : "unknown", e);
      }
    }
  }

  private void make(ServiceLoader.Provider<VerbsProvider> type) {
    String name = type.type().getName();
    try {
      found.putIfAbsent(name, new GuardedProvider(type.get()));
    } catch (Throwable e) {
      // Whatever the constructor throws, an error of linking above all.
      failed(name, e);
    }
  }

  private void failed(String name, Throwable cause) {
    found.putIfAbsent(name, new BrokenProvider(name, cause));
  }
}
