// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.requester;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HeadTemplatesTest {

  private final HeadTemplates templates = new HeadTemplates();
  private int xid;

  private record Head(int program, int version, int procedure, Credential credential) implements CallHead {}

  /** Compares what is written with what is put together word by word, twice: the second one is from the template. */
  private void assertWritten(int credits, Head head) {
    for (int i = 0; i < 2; i++) {
      ByteBuffer expected = ByteBuffer.allocate(1024);
      RawHeader.write(expected, ++xid, credits, RawHeader.RDMA_MSG);
      ChunkLists.EMPTY.write(expected);
      CallHeader.write(expected, xid, head.program, head.version, head.procedure, head.credential);
      ByteBuffer written = ByteBuffer.allocate(1024);
      templates.write(written, xid, credits, head, head.credential);
      assertThat(written.flip()).isEqualTo(expected.flip());
    }
  }

  /** Fails if {@code HeadTemplates.Template} does not compare something, or keeps more than there is. */
  @Test
  @DisplayName("A call that differs in anything but its XID has a head of its own")
  void heads() {
    OpaqueAuth none = OpaqueAuth.NONE;
    assertWritten(8, new Head(1, 1, 1, none));
    assertWritten(8, new Head(2, 1, 1, none));
    assertWritten(8, new Head(2, 2, 1, none));
    assertWritten(8, new Head(2, 2, 5, none));
    assertWritten(9, new Head(2, 2, 5, none));
    assertWritten(9, new Head(2, 2, 5, new OpaqueAuth(7, new byte[] {1, 2, 3, 4, 5, 6, 7, 8})));
    assertWritten(9, new Head(2, 2, 5, new OpaqueAuth(7, new byte[] {1, 2, 3, 4})));
  }
}
