// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.tools.command.NfsSecurity;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Options of an NFS server that do not go together. */
class Nfs3OptionsTest {

  @Test
  void kerberosWantsAPrincipalWithItsRealm() {
    Nfs3Options options = new Nfs3Options(Path.of("/"));
    for (KerberosOptions wrong : List.of(new KerberosOptions(), new KerberosOptions().setPrincipal("nfs/host"))) {
      assertThatThrownBy(() -> options.with(Set.of(NfsSecurity.KRB5), wrong, 0))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("nfs/host@REALM");
    }
    assertThat(options.with(EnumSet.allOf(NfsSecurity.class), new KerberosOptions().setPrincipal("nfs/host@R"), 0).realm())
        .isEqualTo("R");
  }
}
