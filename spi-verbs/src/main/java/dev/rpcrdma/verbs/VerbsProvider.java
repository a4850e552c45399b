// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.Vertx;
import java.util.List;

/**
 * A kind of RDMA device, found through {@link java.util.ServiceLoader}.
 *
 * <p>Implementations have a public constructor without arguments that does no work: a class path
 * may hold providers that the machine cannot use, and merely listing them must never fail.
 */
public interface VerbsProvider {

  /**
   * The name by which options and the command line choose this provider.
   *
   * @return a short lower-case word, such as {@code siw}
   */
  String name();

  /**
   * Where this provider stands when the user names none: of the usable providers the one with the
   * highest priority is taken.
   *
   * @return the priority; software iWARP has 0, a provider that drives hardware more
   */
  int priority();

  /**
   * Tells whether {@link #open} can work on this machine, without side effects and without throwing.
   *
   * @return usable, or the reason why not together with how to mend it
   */
  ProviderStatus probe();

  /**
   * Looks at all of this machine that matters to the provider, for who sets it up. Without side effects and without
   * throwing; may take a second.
   *
   * @return what was found, in the order in which it is best read, ending with the first that nothing works without;
   *     by default what {@link #probe} says
   */
  default List<Finding> examine() {
    ProviderStatus status = probe();
    return List.of(status.usable() ? Finding.good(name(), status.reason())
        : Finding.problem(name(), status.reason(), status.remedy()));
  }

  /**
   * The devices that {@link #open} could open here, by its settings. Without side effects and without throwing.
   *
   * @return the devices, the one that is opened by default first; by default none
   */
  default List<DeviceDescription> devices() {
    return List.of();
  }

  /**
   * Opens a device for one Vert.x instance. May block; callers run it off the event loop.
   *
   * @param vertx the instance whose event loops will own the device's connections
   * @param options settings and capture; {@link DeviceOptions#DEFAULT} for the defaults
   * @return the open device, owned by the caller, who closes it: a provider does not close it with Vert.x, since
   *     owners let their connections finish first
   * @throws VerbsException of kind {@link VerbsException.Kind#UNAVAILABLE} with the text of
   *     {@link #probe()}, or {@link VerbsException.Kind#INVALID_ARGUMENT} for an unknown setting,
   *     a value out of its range, or a capture file that cannot be written
   */
  VerbsDevice open(Vertx vertx, DeviceOptions options);
}
