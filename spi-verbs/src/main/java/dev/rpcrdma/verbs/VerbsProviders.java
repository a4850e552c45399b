// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds the providers on the class path or module path, and those that the context class loader of the thread sees, and
 * chooses one. One that fails, whatever it throws, cannot be used, and takes no other down.
 */
public final class VerbsProviders {

  private VerbsProviders() {}

  /**
   * All providers, usable or not, the preferred one first. Those that failed when they were made are called as their
   * class, and say why.
   *
   * @return a new list, of providers that throw nothing when they are asked about this machine
   */
  public static List<VerbsProvider> all() {
    return all(VerbsProviders.class.getClassLoader(), Thread.currentThread().getContextClassLoader());
  }

  /** Those that class loaders see; a null one sees those of the JDK's system class loader. */
  static List<VerbsProvider> all(ClassLoader... loaders) {
    Map<String, VerbsProvider> found = new LinkedHashMap<>();
    for (ClassLoader loader : loaders) {
      FoundProviders.by(loader).forEach((type, provider) -> found.merge(type, provider,
          (before, other) -> before instanceof BrokenProvider ? other : before));
    }
    List<VerbsProvider> providers = new ArrayList<>(found.values());
    providers.sort(Comparator.comparingInt(VerbsProvider::priority).reversed()
        .thenComparing(VerbsProvider::name));
    return providers;
  }

  /**
   * The usable provider with the highest priority.
   *
   * @return the provider
   * @throws VerbsException of kind {@link VerbsException.Kind#UNAVAILABLE} that lists what was found
   *     and why it cannot be used
   */
  public static VerbsProvider preferred() {
    List<VerbsProvider> providers = all();
    for (VerbsProvider provider : providers) {
      if (provider.probe().usable()) {
        return provider;
      }
    }
    throw new VerbsException(VerbsException.Kind.UNAVAILABLE, providers.isEmpty()
        ? "No RDMA provider on the class path; add vertx-rpcrdma-provider-siw"
        : "No usable RDMA provider: " + describe(providers));
  }

  /**
   * The provider of that name; of several the preferred one of those that are usable.
   *
   * @param name a provider's name
   * @return the provider, which is usable
   * @throws VerbsException of kind {@link VerbsException.Kind#UNAVAILABLE} if there is none of that
   *     name, with the names there are, or if it cannot be used, with its reason and remedy
   */
  public static VerbsProvider named(String name) {
    List<VerbsProvider> providers = all();
    List<VerbsProvider> found = providers.stream().filter(provider -> provider.name().equals(name)).toList();
    if (found.isEmpty()) {
      throw new VerbsException(VerbsException.Kind.UNAVAILABLE, "No RDMA provider named '" + name
          + "'; on the class path: " + (providers.isEmpty() ? "none" : describe(providers)));
    }
    ProviderStatus first = null;
    for (VerbsProvider provider : found) {
      ProviderStatus status = provider.probe();
      if (status.usable()) {
        return provider;
      }
      first = first == null ? status : first;
    }
    throw new VerbsException(VerbsException.Kind.UNAVAILABLE, "RDMA provider '" + name + "' cannot be used: "
        + first.reason() + " " + first.remedy());
  }

  private static String describe(List<VerbsProvider> providers) {
    return providers.stream().map(VerbsProviders::describe).collect(Collectors.joining("; "));
  }

  private static String describe(VerbsProvider provider) {
    ProviderStatus status = provider.probe();
    return status.usable() ? provider.name()
        : provider.name() + " (" + status.reason() + " " + status.remedy() + ")";
  }
}
