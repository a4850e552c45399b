// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.lab.NeedsRoot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is left of user 0 and group 0 of clients. */
@Timeout(60)
@NeedsRoot
class RootSquashTest {

  @TempDir
  private Path export;

  @Test
  void nobodyIsUserZeroOrInGroupZero() throws Exception {
    Path file = Files.writeString(export.resolve("file"), "for root and its group");
    Files.setAttribute(export, "unix:mode", 0755);
    Files.setAttribute(file, "unix:mode", 0640);
    for (boolean squash : new boolean[] {false, true}) {
      try (Nfs3Bed bed = new Nfs3Bed(new Nfs3Options(export).withSquashRoot(squash))) {
        byte[] handle = bed.call(NfsRequests.lookUp(bed.root, "file")).get();
        int expected = squash ? 0 : 1;
        assertThat(bed.call(NfsRequests.mayRead(handle, 0, 24, List.of())).get())
            .isEqualTo(expected);
        assertThat(bed.call(NfsRequests.mayRead(handle, 1000, 0, List.of())).get())
            .isEqualTo(expected);
        assertThat(bed.call(NfsRequests.mayRead(handle, 1000, 24, List.of(7, 0))).get())
            .isEqualTo(expected);
        assertThat(bed.call(NfsRequests.mayRead(handle, 1000, 24, List.of(7))).get()).isZero();
      }
    }
  }
}
