// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

/**
 * A fault as it was, by {@link System#nanoTime}.
 *
 * @param fault which
 * @param began when a call had come to its step
 * @param over when all servers were there again, and all copies where they have to be
 */
record Incident(Fault fault, long began, long over) {

  boolean overlaps(Outcome call) {
    return call.began() <= over && call.ended() >= began;
  }
}
