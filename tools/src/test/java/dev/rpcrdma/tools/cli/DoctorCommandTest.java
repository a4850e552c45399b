// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.ProviderStatus;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a user is told of this machine, whatever it has. */
class DoctorCommandTest {

  private final Commands commands = new Commands();

  private static ProviderStatus ibverbs() {
    return VerbsProviders.all().stream().filter(provider -> provider.name().equals("ibverbs")).findFirst()
        .map(VerbsProvider::probe).orElseThrow();
  }

  @Test
  @DisplayName("Says of each provider whether it can be used, what it lacks and how to mend it, and which one is taken")
  void doctor() {
    ProviderStatus status = ibverbs();
    assertThat(commands.run("doctor")).isZero();
    assertThat(commands.out()).contains("siw: can be used");
    if (status.usable()) {
      assertThat(commands.out()).contains("ibverbs: can be used", "ibverbs is used");
    } else {
      assertThat(commands.out()).contains("ibverbs: cannot be used", "missing: " + status.reason(),
          "What to do: " + status.remedy(), "siw is used");
    }
  }

  @Test
  @DisplayName("Asked for one provider, the exit status tells whether it can be used")
  void one() {
    assertThat(commands.run("doctor", "--provider", "siw")).isZero();
    assertThat(commands.out()).doesNotContain("ibverbs");
    assertThat(commands.run("doctor", "--provider", "ibverbs")).isEqualTo(ibverbs().usable() ? 0 : 1);
    assertThat(commands.run("doctor", "--provider", "acme")).isOne();
    assertThat(commands.out()).contains("no such provider");
  }

  @Test
  @DisplayName("Lists devices and what each can do")
  void devices() {
    assertThat(commands.run("devices")).isZero();
    assertThat(commands.out()).contains("siw siw", "Software iWARP over TCP, in this process", "127.0.0.1")
        .containsPattern("remote invalidation +yes").containsPattern("Reads at a time +of this side \\d+, of the peer");
  }
}
