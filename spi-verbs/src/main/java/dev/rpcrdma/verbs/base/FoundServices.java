// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.base;

import java.util.Iterator;
import java.util.ServiceConfigurationError;
import java.util.function.Consumer;

/** Reading of services that {@link java.util.ServiceLoader} finds. A service that fails affects no other one. */
public final class FoundServices {

  /** A loader that fails each time it is asked fails for ever. */
  private static final int MOST_FAILURES = 100;

  private FoundServices() {}

  /**
   * Hands over each service.
   *
   * @param services the loader's iterator, or that of its stream of providers
   * @param read gets each service; throws if the service cannot be used
   * @param failed gets each failure of the loader or of {@code read}, of which 100 end the reading
   * @param <T> a service, or a provider of one
   */
  public static <T> void each(Iterator<T> services, Consumer<? super T> read, Consumer<? super Throwable> failed) {
    for (int failures = 0; failures < MOST_FAILURES; failures++) {
      try {
        while (services.hasNext()) {
          read.accept(services.next());
        }
        return;
      } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
        // Java goes on with the next one.
        failed.accept(e);
      }
    }
  }
}
