// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.module;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modules that are found by the class loader of the service, and by that of the thread. */
class OptionalModulesTest {

  /** A service of a class loader of its own. */
  public interface Service {}

  /** Implementation of the service. */
  public static final class Implementation implements Service {

    /** Counted in the properties of the system, since each class loader has a class of its own. */
    public Implementation() {
      System.setProperty(MADE, System.getProperty(MADE, "") + "+");
    }
  }

  private static final String MADE = OptionalModulesTest.class.getName();

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  @AfterEach
  void restore() {
    System.clearProperty(MADE);
    Thread.currentThread().setContextClassLoader(before);
  }

  /** Fails if {@code OptionalModules.of} asks the thread's class loader alone. */
  @Test
  @DisplayName("A module that the class loader of the service sees is found whatever class loader the thread has")
  void foreignThread(@TempDir Path folder) throws Exception {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.write(services.resolve(Service.class.getName()), List.of(Implementation.class.getName()));
    URL classes = OptionalModulesTest.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader own = new URLClassLoader(new URL[] {folder.toUri().toURL(), classes},
        ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
      assertThat(OptionalModules.of(own.loadClass(Service.class.getName())).all()).hasSize(1);
      Thread.currentThread().setContextClassLoader(null);
      assertThat(OptionalModules.of(own.loadClass(Service.class.getName())).all()).hasSize(1);
    }
  }

  /** Fails if {@code OptionalModules.make} makes a class twice, tells of it twice, or stops at one without a format. */
  @Test
  @DisplayName("A class that both class loaders see counts once, whether it can be made or not")
  void once(@TempDir Path folder) throws Exception {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.write(services.resolve(Service.class.getName()),
        List.of("no.such.Module", "Spoilt", Implementation.class.getName()));
    Files.write(folder.resolve("Spoilt.class"), new byte[10]);
    URL classes = OptionalModulesTest.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader own = new URLClassLoader(new URL[] {folder.toUri().toURL(), classes},
        ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(own);
      OptionalModules<?> modules = OptionalModules.of(own.loadClass(Service.class.getName()));
      assertThat(modules.all()).hasSize(1);
      assertThat(System.getProperty(MADE)).isEqualTo("+");
      assertThat(modules.missing("setting", "artifact")).hasMessageContaining("setting needs the artifact artifact")
          .extracting(Throwable::getMessage).asString().containsOnlyOnce("no.such.Module")
          .containsOnlyOnce("Spoilt");
    }
  }
}
