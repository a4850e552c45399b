package dev.rpcrdma.api.cluster;

import java.util.List;
import java.util.Objects;

/**
 * A server as it has made itself known.
 *
 * @param instance drawn anew each time that a server is published
 * @param node the id of the cluster's node it lives on; empty without a cluster
 * @param provider the name of the provider that it prefers; empty if it is the usable one with the highest priority
 * @param host where it can be reached
 * @param port where it can be reached
 * @param programs what it serves
 * @param connections how many it had when it said so last
 * @param draining whether it is about to close, so that it gets no new calls
 */
public record ClusterServer(String instance, String node, String provider, String host, int port,
    List<ClusterProgram> programs, int connections, boolean draining) {

  /** Checks that nothing is missing, and copies the list. */
  public ClusterServer {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(host, "host");
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
