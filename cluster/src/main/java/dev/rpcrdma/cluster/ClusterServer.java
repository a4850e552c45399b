// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * A server as it has made itself known.
 *
 * @param instance drawn anew each time that a server is published
 * @param node the id of the cluster's node it lives on; empty without a cluster
 * @param devices the names of the devices it listens with, such as siw
 * @param host where it can be reached
 * @param port where it can be reached
 * @param programs what it serves
 * @param connections how many it had when it said so last
 * @param calls how many it was executing when it said so last; empty if it does not say, as servers of earlier releases
 * @param draining whether it is about to close, so that it gets no new calls
 */
public record ClusterServer(String instance, String node, List<String> devices, String host, int port,
    List<ClusterProgram> programs, int connections, OptionalInt calls, boolean draining) {

  /** Checks that nothing is missing, and copies the lists. */
  public ClusterServer {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(calls, "calls");
    devices = List.copyOf(devices);
    programs = List.copyOf(programs);
  }

  /**
   * Whether it has said that it serves a version of a program.
   *
   * @param program the program's number
   * @param version its version
   * @return also while it is draining
   */
  public boolean serves(int program, int version) {
    return programs.stream().anyMatch(each -> each.program() == program && each.version() == version);
  }
}
