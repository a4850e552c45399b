// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import dev.rpcrdma.verbs.base.Causes;
import dev.rpcrdma.verbs.base.FoundServices;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The providers that a class loader sees, by the names of their classes. One that cannot be made is among them. */
final class FoundProviders {

  /** In what {@link ServiceLoader} says, behind the name of the service. */
  private static final Pattern CLASS =
      Pattern.compile(": (?:Provider |class )?([\\w.$]+) (?:not|is not|Unable to get) ");
  private static final String UNKNOWN = "unknown";

  private final Map<String, VerbsProvider> found = new LinkedHashMap<>();

  private FoundProviders() {}

  static Map<String, VerbsProvider> by(ClassLoader loader) {
    FoundProviders providers = new FoundProviders();
    FoundServices.each(ServiceLoader.load(VerbsProvider.class, loader).stream().iterator(), providers::make,
        providers::notNamed);
    return providers.found;
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

  /** Java says which class it is in words, or not at all: then each is known by what it says. */
  private void notNamed(Throwable cause) {
    String message = Causes.message(cause);
    Matcher named = CLASS.matcher(message);
    if (named.find()) {
      failed(named.group(1), cause);
    } else {
      found.putIfAbsent(message, new BrokenProvider(UNKNOWN, cause));
    }
  }

  private void failed(String name, Throwable cause) {
    found.putIfAbsent(name, new BrokenProvider(name, cause));
  }
}
