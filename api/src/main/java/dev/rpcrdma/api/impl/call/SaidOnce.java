// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the log says once for each procedure, of all connections. Thread-safe. */
public final class SaidOnce {

  /** Peers choose procedures: of a program that takes any number they are as many as they like. */
  private static final int MOST = 1_000;

  private final Set<String> said = ConcurrentHashMap.newKeySet();

  /**
   * Whether to say it.
   *
   * @param procedure what it is about
   * @return true the first time; false also if it was said of very many
   */
  public boolean first(String procedure) {
    return said.size() < MOST && said.add(procedure);
  }
}
