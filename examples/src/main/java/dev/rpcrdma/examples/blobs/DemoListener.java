// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

/** Follows a demo while it runs; called on any thread. */
public interface DemoListener {

  /** Hears nothing. */
  DemoListener SILENT = (phase, done, total) -> {};

  /**
   * Some bytes more are done.
   *
   * @param phase what is being done
   * @param done bytes done in this phase
   * @param total bytes of this phase
   */
  void progress(String phase, long done, long total);
}
