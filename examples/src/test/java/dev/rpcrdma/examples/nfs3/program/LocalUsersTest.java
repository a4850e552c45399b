// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.tree.Caller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who a principal of Kerberos is on the server's machine. */
class LocalUsersTest {

  @TempDir
  private Path folder;

  private LocalUsers users() throws IOException {
    Path users = Files.writeString(folder.resolve("passwd"), """
        root:x:0:0:root:/root:/bin/bash
        alice:x:1000:100:Alice,,,:/home/alice:/bin/bash
        + nobody knows
        bob:x:4000000000:100::/:/bin/sh
        nologin:x:1:
        """);
    Path groups = Files.writeString(folder.resolve("group"), """
        root:x:0:
        users:x:100:
        wheel:x:27:alice,root
        audio:x:29:alice
        """);
    return LocalUsers.read("REALM", users, groups);
  }

  @Test
  void principalsOfTheRealmAreWhoHasTheirName() throws IOException {
    assertThat(users().caller("alice@REALM")).isEqualTo(new Caller(1000, 100, Set.of(27, 29)));
    assertThat(users().caller("root@REALM")).isEqualTo(new Caller(0, 0, Set.of(27)));
  }

  /** Fails if {@code caller} does not look at the realm. */
  @Test
  void allOthersAreNobody() throws IOException {
    for (String principal : new String[] {"alice@ELSEWHERE", "alice", "alice@REALM@ELSEWHERE", "nfs/alice@REALM", "@REALM",
        "", "nologin@REALM", "bob@REALM", "carol@REALM", "alice/admin@REALM"}) {
      assertThat(users().caller(principal)).as(principal).isEqualTo(Caller.NOBODY);
    }
  }
}
