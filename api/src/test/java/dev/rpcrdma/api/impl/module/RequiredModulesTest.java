// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.module;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an application on the module path has without requiring it. */
class RequiredModulesTest {

  /** Fails if the descriptor leaves to others what the module of Vert.x requires for compiling only. */
  @Test
  @DisplayName("On the module path there is what writes JSON: options are printed, and servers publish entries")
  void json() throws Exception {
    Path classes = Path.of(RpcServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    assertThat(ModuleFinder.of(classes).find("dev.rpcrdma.api").orElseThrow().descriptor().requires())
        .extracting(ModuleDescriptor.Requires::name).contains("com.fasterxml.jackson.core");
  }
}
