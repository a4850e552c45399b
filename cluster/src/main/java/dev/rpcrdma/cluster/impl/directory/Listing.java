// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.cluster.impl.directory;

import dev.rpcrdma.cluster.ClusterServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The servers that were known at some time. Immutable.
 *
 * @param servers those that take calls, and those that are draining, in the order of their instances
 * @param silent those whose entries have gone, or do not move, and that have never said that they leave
 * @param readAt when they were read last, of the clock that the picture was told; also if that changed nothing
 */
record Listing(List<ClusterServer> servers, List<ClusterServer> silent, long readAt) {

  private record Place(String host, int port) {}

  Listing {
    servers = List.copyOf(servers);
    silent = List.copyOf(silent);
  }

  /**
   * The servers of one version of a program that take calls. Servers behind one address are one, since whoever connects
   * to it comes to any of them.
   *
   * @return in the order of their keys
   */
  List<ListedServer> of(int program, int version) {
    return places(servers, program, version);
  }

  /**
   * Where calls may go to. A cluster in trouble loses entries of servers that are well, so if nobody is left, those
   * that have gone without a word are tried.
   *
   * @return in the order of their keys
   */
  List<ListedServer> callable(int program, int version) {
    List<ListedServer> listed = of(program, version);
    return listed.isEmpty() ? places(silent, program, version) : listed;
  }

  private static List<ListedServer> places(List<ClusterServer> servers, int program, int version) {
    Map<Place, ListedServer> places = new LinkedHashMap<>();
    for (ClusterServer server : servers) {
      if (!server.draining() && server.serves(program, version)) {
        places.putIfAbsent(new Place(server.host(), server.port()),
            new ListedServer(server.instance(), server.host(), server.port()));
      }
    }
    return new ArrayList<>(places.values());
  }
}
