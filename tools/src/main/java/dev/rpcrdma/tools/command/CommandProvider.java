// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import java.util.List;

/**
 * Contributes commands to {@code rpcrdma}. Providers are found by {@link java.util.ServiceLoader}, so that whoever adds
 * one changes nothing of the command line.
 */
public interface CommandProvider {

  /**
   * The commands, in the order in which help lists them, behind those of the command line itself.
   *
   * @return classes with picocli's {@code @Command}, in packages that are open to picocli
   */
  List<Class<?>> commands();
}
