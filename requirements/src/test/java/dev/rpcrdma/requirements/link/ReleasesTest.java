// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.requirements.TestTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * All classes of the product, against each release of Vert.x that it promises to run with. A script of CI fetches the
 * releases, each with the Netty that it brings, into the folder that the system property {@code rpcrdma.releases}
 * names.
 */
@Tag("releases")
class ReleasesTest {

  /** Fails if any main class calls what one of the releases has not, such as an accessor of another one. */
  @TestFactory
  @DisplayName("Each class, field and method that the product names is there in each release of Vert.x")
  Stream<DynamicTest> releases() throws IOException {
    Path folder = Path.of(System.getProperty("rpcrdma.releases"));
    List<Path> releases = folders(folder);
    assertThat(releases).isNotEmpty();
    return releases.stream().map(release -> DynamicTest.dynamicTest("Vert.x " + release.getFileName(), () -> {
      ClassFiles product = new ClassFiles();
      ClassFiles all = new ClassFiles().jars(release);
      for (Path module : folders(TestTree.root())) {
        Path classes = module.resolve("target/classes");
        if (Files.exists(classes)) {
          product.folder(classes);
          all.folder(classes);
        }
      }
      assertThat(product.all()).hasSizeGreaterThan(1000);
      assertThat(new Linkage(product, all).missing()).isEmpty();
    }));
  }

  private static List<Path> folders(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }
}
