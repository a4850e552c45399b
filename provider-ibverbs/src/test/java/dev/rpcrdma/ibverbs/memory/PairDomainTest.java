// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.ffi.FakeRdmaCore;
import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsException.Kind;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registrations of one domain, by a library that counts them. */
@NeedsRdmaHeaders
class PairDomainTest {

  /** Of the compiled file. */
  public interface Control {
    void fakeLimits(int most, int shifted, int refused);

    int fakeDomains();

    int fakeRegions();
  }

  @TempDir
  private Path folder;
  private RdmaCore core;
  private Control control;
  private PairDomain domain;
  private final ByteBuffer memory = ByteBuffer.allocateDirect(4096);

  @BeforeEach
  void compile() throws Exception {
    Path library = FakeRdmaCore.compile(folder, "/fake_memory.c");
    core = RdmaCore.load(library.toString(), library.toString());
    control = FakeRdmaCore.control(Control.class, library);
    control.fakeLimits(2, 0, 0);
    domain = PairDomain.allocate(core, 1);
  }

  private static void assertFails(ThrowingCallable action, Kind kind, String words) {
    assertThatThrownBy(action).isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageContaining(words);
  }

  /** Fails if {@code PairDomain.close} leaves regions, since a domain that has some cannot be freed. */
  @Test
  @DisplayName("Regions have keys of their own, and end once, at the latest with their domain")
  void regions() {
    IbverbsRegion one = domain.register(memory, 0, 4096, Numbers.ACCESS_LOCAL_WRITE);
    IbverbsRegion two = domain.register(memory, 16, 1, Numbers.ACCESS_REMOTE_READ);
    assertThat(one.localKey()).isNotEqualTo(two.localKey());
    assertThat(two.remoteKey()).isEqualTo(Numbers.ACCESS_REMOTE_READ);
    assertThat(domain.regions()).isEqualTo(2);
    assertThat(domain.deregister(one)).isTrue();
    assertThat(domain.deregister(one)).isFalse();
    assertThat(control.fakeRegions()).isEqualTo(1);
    domain.close();
    domain.close();
    assertThat(control.fakeRegions()).isZero();
    assertThat(control.fakeDomains()).isZero();
    assertThatThrownBy(() -> domain.register(memory, 0, 1, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(domain::handle).isInstanceOf(IllegalStateException.class);
    assertThat(domain.deregister(two)).as("it has ended").isFalse();
  }

  @Test
  @DisplayName("The limit of locked memory says how it is raised")
  void limit() {
    domain.register(memory, 0, 1, 0);
    domain.register(memory, 1, 1, 0);
    assertFails(() -> domain.register(memory, 2, 1, 0), Kind.RESOURCES, "ulimit -l");
    assertThat(domain.regions()).isEqualTo(2);
    domain.close();
  }

  /** Fails if {@code PairDomain.register} does not compare what the library says it has registered. */
  @Test
  @DisplayName("A library with another structure is refused, and nothing stays registered")
  void layout() {
    control.fakeLimits(2, 8, 0);
    assertFails(() -> domain.register(memory, 0, 1, 0), Kind.UNAVAILABLE, "struct ibv_mr");
    assertThat(control.fakeRegions()).isZero();
    domain.close();
  }

  @Test
  @DisplayName("Refusals of the kernel's are failures, whichever sign they have")
  void refusals() {
    IbverbsRegion region = domain.register(memory, 0, 1, 0);
    control.fakeLimits(2, 0, 16);
    assertFails(() -> domain.deregister(region), Kind.RESOURCES, "ibv_dereg_mr: in use (EBUSY)");
    assertFails(() -> PairDomain.allocate(core, 1), Kind.RESOURCES, "ibv_alloc_pd: in use (EBUSY)");
  }
}
