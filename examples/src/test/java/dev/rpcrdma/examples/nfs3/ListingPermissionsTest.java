// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Listings for callers who may do part of what there is to do in a directory. */
@Timeout(60)
class ListingPermissionsTest {

  /** A user that owns nothing here. */
  private static final int OTHER = 4711;

  @TempDir
  private Path export;

  @Test
  @DisplayName("RFC 1813 §3.3.17: handles and attributes go to callers who may search the directory, names to readers")
  void handles() throws Exception {
    Path directory = Files.createDirectory(export.resolve("directory"));
    Files.createFile(directory.resolve("file"));
    Files.setAttribute(export, "unix:mode", 0755);
    try (Nfs3Bed bed = new Nfs3Bed(export)) {
      byte[] handle = bed.call(NfsRequests.lookUp(bed.root, "directory")).get();
      Files.setAttribute(directory, "unix:mode", 0744);
      Map<String, Boolean> closed = bed.call(NfsRequests.handlesFor(OTHER, handle)).get();
      assertThat(closed).containsOnlyKeys(".", "..", "file").doesNotContainValue(true);
      assertThat(bed.call(NfsRequests.lookUpAs(OTHER, handle, "file"))).isEqualTo(13);
      Files.setAttribute(directory, "unix:mode", 0745);
      assertThat(bed.call(NfsRequests.handlesFor(OTHER, handle)).get())
          .containsOnlyKeys(".", "..", "file").doesNotContainValue(false);
      Files.setAttribute(directory, "unix:mode", 0741);
      assertThat(bed.call(NfsRequests.handlesFor(OTHER, handle)).status()).isEqualTo(13);
    }
  }
}
