// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.examples.nfs3.tree.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which user of this machine a principal of Kerberos is: {@code alice@REALM} is who is {@code alice} here, if the realm
 * is the server's own. Others are nobody, services and hosts ({@code nfs/client@REALM}) among them.
 */
public final class LocalUsers {

  private final String realm;
  private final Map<String, Caller> callers;

  private LocalUsers(String realm, Map<String, Caller> callers) {
    this.realm = realm;
    this.callers = Map.copyOf(callers);
  }

  /**
   * Reads them once; may block.
   *
   * @param realm whose principals they are
   * @param users a file as {@code /etc/passwd}
   * @param groups a file as {@code /etc/group}
   * @return the users
   * @throws IOException if a file cannot be read
   */
  public static LocalUsers read(String realm, Path users, Path groups) throws IOException {
    Map<String, Set<Integer>> memberships = new HashMap<>();
    for (String[] group : rows(groups, 4)) {
      for (String member : group[3].split(",")) {
        memberships.computeIfAbsent(member, name -> new HashSet<>()).add(Integer.parseUnsignedInt(group[2]));
      }
    }
    Map<String, Caller> callers = new HashMap<>();
    for (String[] user : rows(users, 7)) {
      callers.put(user[0], new Caller(Integer.parseUnsignedInt(user[2]), Integer.parseUnsignedInt(user[3]),
          memberships.getOrDefault(user[0], Set.of())));
    }
    return new LocalUsers(realm, callers);
  }

  /** Lines that are no users or groups, such as those of other name services, are passed over. */
  private static List<String[]> rows(Path file, int fields) throws IOException {
    return Files.readAllLines(file).stream().map(line -> line.split(":", -1))
        .filter(row -> row.length == fields && row[2].matches("[0-9]{1,9}")).toList();
  }

  /**
   * Who a principal is.
   *
   * @param principal with its realm
   * @return who it is here, or nobody
   */
  Caller caller(String principal) {
    String end = '@' + realm;
    return principal.endsWith(end)
        ? callers.getOrDefault(principal.substring(0, principal.length() - end.length()), Caller.NOBODY) : Caller.NOBODY;
  }
}
