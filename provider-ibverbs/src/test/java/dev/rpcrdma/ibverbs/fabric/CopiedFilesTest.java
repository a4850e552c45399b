// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.FakeFabric;
import dev.rpcrdma.ibverbs.FakeFabric.Kind;
import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import dev.rpcrdma.ibverbs.ffi.Errno;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.RecordingHandler.Revoked;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.WorkCompletion.Opcode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mapped files that the kernel does not pin: the device sees copies, and the consumer the file. */
@NeedsRdmaHeaders
class CopiedFilesTest {

  private static final int LENGTH = 256;
  private static final int OFFSET = 100;
  private static final byte[] TEXT = "through a copy".getBytes();

  @RegisterExtension
  final FakeFabric fabric = new FakeFabric(Kind.ROCE);

  private static LocalMemory file(Peer peer) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      buffer.put(i, (byte) 0x55);
    }
    return Waiting.await(peer.domain().register(buffer, LocalMemory.Backing.MAPPED_FILE));
  }

  /** The kernel refuses the next registration, as it does for such a file. */
  private void refuseOnce() {
    fabric.control().fakeFail("ibv_reg_mr", Errno.EFAULT, 0, 1);
  }

  private static void assertHolds(LocalMemory file) {
    byte[] expected = new byte[LENGTH];
    Arrays.fill(expected, (byte) 0x55);
    System.arraycopy(TEXT, 0, expected, OFFSET, TEXT.length);
    assertThat(Peer.bytes(file, 0, LENGTH)).isEqualTo(expected);
  }

  /**
   * Fails if {@code PostedMemory.resolve} leaves out the address, or {@code IbverbsReceiveQueue.take} what was placed.
   */
  @ParameterizedTest
  @EnumSource
  @DisplayName("A message is received into a file")
  void receive(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      Peer server = bed.server();
      LocalMemory file = file(server);
      server.onSetup(created -> created.postReceive(1, file, OFFSET, LENGTH - OFFSET));
      refuseOnce();
      VerbsBed.Pair pair = bed.connect(bed.client(), server);
      pair.client().send(1, TEXT);
      assertThat(server.handler().completion(Opcode.RECEIVE).byteLength()).isEqualTo(TEXT.length);
      assertHolds(file);
    }
  }

  /** Fails if {@code IbverbsSendQueue.next} leaves out what was placed. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("A Read places its data in a file")
  void read(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      VerbsBed.Pair pair = bed.connect();
      LocalMemory file = file(pair.client());
      Exposure exposure = pair.server().expose(pair.server().memory(TEXT), Access.REMOTE_READ);
      refuseOnce();
      pair.client().post(owned -> owned.postRead(1, file, OFFSET, TEXT.length, exposure.steeringTag(),
          exposure.remoteOffset()));
      pair.client().handler().completion(Opcode.READ);
      assertHolds(file);
    }
  }

  /** Fails if {@code IbverbsExposures.end} does not take back what was written. */
  @ParameterizedTest
  @EnumSource
  @DisplayName("What a peer has written is in the file when its exposure is revoked")
  void written(Kind kind) {
    fabric.reset(kind);
    try (VerbsBed bed = fabric.bed()) {
      VerbsBed.Pair pair = bed.connect();
      LocalMemory file = file(pair.server());
      refuseOnce();
      Exposure exposure = pair.server().expose(file, OFFSET, LENGTH - OFFSET, Access.REMOTE_WRITE);
      pair.server().receive(7, 64);
      LocalMemory source = pair.client().memory(TEXT);
      pair.client().post(owned -> {
        owned.postWrite(1, source, 0, TEXT.length, exposure.steeringTag(), exposure.remoteOffset());
        owned.postSend(2, source, 0, TEXT.length);
      });
      pair.server().handler().completion(Opcode.RECEIVE);
      pair.server().run(owned -> owned.revoke(exposure));
      pair.server().handler().next(Revoked.class);
      assertHolds(file);
    }
  }
}
