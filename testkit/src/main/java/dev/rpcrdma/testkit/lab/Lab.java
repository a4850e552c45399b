// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import dev.rpcrdma.verbs.base.Causes;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The lab of one test run: a machine for each kernel, of which one runs at a time. Closed by JUnit at the
 * run's end. Used by one thread.
 */
final class Lab implements AutoCloseable {

  private static final String NO_SCRIPT =
      "no script testkit/lab/lab here or above; name it by -D" + LabScript.PROPERTY;

  private final Optional<LabScript> script;
  private final boolean required;
  private final Map<LabKernel, Optional<String>> obstacles = new EnumMap<>(LabKernel.class);
  private final Map<LabKernel, LabVm> machines = new EnumMap<>(LabKernel.class);

  /**
   * Starts nothing yet.
   *
   * @param script which drives the machines, if there is one
   * @param required whether tests that cannot have their machine fail
   */
  Lab(Optional<LabScript> script, boolean required) {
    this.script = script;
    this.required = required;
  }

  /**
   * Why a kernel's machine cannot run here. Asked of the script once, and printed.
   *
   * @return empty if it can run
   */
  Optional<String> obstacle(LabKernel kernel) {
    return obstacles.computeIfAbsent(kernel, asked -> {
      Optional<String> reason = script.isEmpty() ? Optional.of(NO_SCRIPT)
          : script.get().obstacle(asked);
      reason.ifPresent(text -> System.err.println("Tests of the lab on kernel " + asked.series()
          + (required ? " cannot run: " : " are skipped: ") + text));
      return reason;
    });
  }

  /** Whether tests that cannot have their machine fail. */
  boolean required() {
    return required;
  }

  /** The machine, booted or not. */
  LabVm machine(LabKernel kernel) {
    return machines.computeIfAbsent(kernel, asked -> new LabVm(script.orElseThrow(), asked));
  }

  /** Boots a kernel's machine unless it runs, after ending that of another kernel. */
  void boot(LabKernel kernel) {
    obstacle(kernel).ifPresent(reason -> {
      throw new IllegalStateException("The lab is required, and cannot run: " + reason);
    });
    machines.forEach((other, machine) -> {
      if (other != kernel) {
        machine.close();
      }
    });
    LabVm machine = machine(kernel);
    try {
      machine.boot();
    } catch (IllegalStateException first) {
      System.err.println(Causes.message(first) + "; trying once more");
      machine.boot();
    }
  }

  @Override
  public void close() {
    machines.values().forEach(LabVm::close);
  }
}
