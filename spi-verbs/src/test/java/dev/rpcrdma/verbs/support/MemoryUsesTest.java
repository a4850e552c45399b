// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.LocalMemory;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

class MemoryUsesTest {

  private final HostProtectionDomain domain = new HostProtectionDomain();
  private final MemoryUses uses = new MemoryUses();

  private HostMemory register() {
    return (HostMemory) domain.register(ByteBuffer.allocateDirect(8), LocalMemory.Backing.MEMORY)
        .result();
  }

  /** However the uses of several memories are mixed, a memory is given up with its last one. */
  @RepeatedTest(20)
  void aMemoryIsGivenUpWithItsLastUse(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<HostMemory> memories = List.of(register(), register(), register());
    List<HostMemory> begun = new ArrayList<>();
    for (int step = 0; step < 200; step++) {
      if (random.nextInt(5) < 3) {
        HostMemory memory = memories.get(random.nextInt(memories.size()));
        uses.begin(memory);
        begun.add(memory);
      } else if (!begun.isEmpty()) {
        uses.end(begun.remove(random.nextInt(begun.size())));
      }
    }
    List<Future<Void>> deregistered = memories.stream().map(HostMemory::deregister).toList();
    while (!begun.isEmpty()) {
      for (int i = 0; i < memories.size(); i++) {
        assertThat(deregistered.get(i).isComplete()).isEqualTo(!begun.contains(memories.get(i)));
      }
      uses.end(begun.remove(random.nextInt(begun.size())));
    }
    assertThat(deregistered).allMatch(Future::succeeded);
  }
}
