// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.siw.memory.ExposureTable;
import dev.rpcrdma.siw.memory.TagSource;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import dev.rpcrdma.verbs.support.HostMemory;
import dev.rpcrdma.verbs.support.HostProtectionDomain;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Memory whose deregistration, by another thread, falls between the check of a post and its use. */
@DisplayName("siw: memory that is deregistered meanwhile")
final class DeregisteredMemoryTest {

  private final HostProtectionDomain domain = new HostProtectionDomain();

  /** Checked, and then given back to its owner, who may have freed it. */
  private HostMemory givenBack() {
    LocalMemory memory = domain.register(ByteBuffer.allocateDirect(8), LocalMemory.Backing.MEMORY)
        .result();
    HostMemory checked = HostMemory.check(memory, domain, 0, 8);
    assertThat(memory.deregister().succeeded()).isTrue();
    return checked;
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(VerbsException.class)
        .extracting(thrown -> ((VerbsException) thrown).kind())
        .isEqualTo(VerbsException.Kind.INVALID_ARGUMENT);
  }

  @Test
  @DisplayName("P-024: no post and no exposure uses it any more")
  void isNotUsed() {
    SendQueue sends = new SendQueue(1);
    assertRefused(() -> sends.post(1, Opcode.READ, givenBack(), 0, 8, 1, 0, false));
    assertThat(sends.isEmpty()).isTrue();
    assertThat(sends.reads()).isZero();
    ReceiveQueue receives = new ReceiveQueue(1);
    assertRefused(() -> receives.post(1, givenBack(), 0, 8));
    assertThat(receives.isEmpty()).isTrue();
    ExposureTable exposures = new ExposureTable(new TagSource());
    assertRefused(() -> exposures.expose(1, givenBack(), 0, 8, Access.REMOTE_WRITE));
    assertThat(exposures.size()).isZero();
  }
}
