// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.testkit.lab.NeedsTools;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A mode that is in the way is put aside where nobody sees it, and put back as it was. */
@Timeout(60)
@NeedsTools(programs = "setpriv", packages = "util-linux")
@Tag("large")
class PutAsideTest {

  private static final String NOBODY = "65534";
  private static final String SETPRIV = "setpriv";

  @TempDir
  private Path folder;

  @Test
  @DisplayName("RFC 1813 §4.4: a server that is not root keeps modes, however many use a file at once")
  void modesAreKept() throws Exception {
    Path export = Files.createDirectory(folder.resolve("export"));
    if ((int) Files.getAttribute(folder, "unix:uid") != 0) {
      assertThat(PutAside.run(export)).isEqualTo("kept");
      return;
    }
    // No mode stops root: another user must run it.
    Files.setAttribute(folder, "unix:mode", 0755);
    Files.setAttribute(export, "unix:uid", Integer.parseInt(NOBODY));
    List<String> classes = new ArrayList<>();
    for (Class<?> each : new Class<?>[] {FileTree.class, PutAside.class, XdrReader.class}) {
      classes.add(readable(each, folder.resolve("classes-" + classes.size())).toString());
    }
    Process process = new ProcessBuilder(SETPRIV, "--reuid=" + NOBODY,
        "--regid=" + NOBODY, "--clear-groups", Path.of(System.getProperty("java.home"), "bin",
            "java").toString(), "-cp", String.join(":", classes), PutAside.class.getName(),
        export.toString()).redirectErrorStream(true).start();
    try {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ended in time").isTrue();
      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("kept\n");
    } finally {
      process.destroyForcibly();
    }
  }

  /** Copies a folder or archive of classes to where everybody may read it. */
  private static Path readable(Class<?> of, Path to) throws IOException, URISyntaxException {
    Path from = Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Path copy = to.resolve(from.relativize(each).toString());
        Files.copy(each, copy);
        Files.setAttribute(copy, "unix:mode", Files.isDirectory(copy) ? 0755 : 0644);
      }
    }
    return to;
  }
}
