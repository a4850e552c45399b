// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.NeedsRdmaHeaders;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.ffi.LibraryLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Posts and polls by function pointers, against a context that is compiled with rdma-core's headers. It is made by a C
 * compiler and not by upcalls into Java, since those would have their layouts from {@link Layouts} as well.
 */
@NeedsRdmaHeaders
class QueueFunctionsTest {

  private static final long PAIR = 0x7f00_1234_5678_9ab0L;

  /** The compiled file. */
  public interface Fake {
    long fakeContext();

    long fakeSeen();
  }

  @TempDir
  private Path folder;
  private QueueFunctions functions;
  private ByteBuffer seen;
  private final NativeMemory bad = NativeMemory.allocate(Long.BYTES);

  @BeforeEach
  void compile() throws Exception {
    Path source = folder.resolve("fake_context.c");
    try (InputStream text = getClass().getResourceAsStream("/fake_context.c")) {
      Files.copy(text, source);
    }
    Path library = Compiler.compile(source, "-shared", "-fPIC");
    Fake fake = LibraryLoader.create(Fake.class).mapper((name, context) -> RdmaCore.inC(name))
        .load(library.toString());
    functions = new QueueFunctions(fake.fakeContext());
    seen = NativeMemory.view(fake.fakeSeen(), 4 * Long.BYTES);
  }

  @Test
  @DisplayName("Completions are where they belong")
  void poll() {
    NativeMemory completions = NativeMemory.allocate(3 * Layouts.Wc.SIZE);
    assertThat(functions.pollCq(PAIR, 3, completions.address())).isEqualTo(3);
    assertThat(seen.getLong(0)).isEqualTo(PAIR);
    for (int i = 0; i < 3; i++) {
      int at = i * Layouts.Wc.SIZE;
      assertThat(completions.buffer().getLong(at + Layouts.Wc.WR_ID)).isEqualTo(0x1122334455667700L + i);
      assertThat(completions.buffer().getInt(at + Layouts.Wc.STATUS)).isEqualTo(10);
      assertThat(completions.buffer().getInt(at + Layouts.Wc.OPCODE)).isEqualTo(Numbers.WC_RECV);
      assertThat(completions.buffer().getInt(at + Layouts.Wc.BYTE_LEN)).isEqualTo(4711);
    }
  }

  @Test
  @DisplayName("All completions raise events, not just solicited ones; errors keep their sign")
  void arm() {
    assertThat(functions.reqNotifyCq(PAIR)).isEqualTo(-12);
    assertThat(seen.getLong(0)).isEqualTo(PAIR);
  }

  @Test
  @DisplayName("Work requests are read as they were written")
  void post() {
    NativeMemory element = NativeMemory.allocate(Layouts.Sge.SIZE);
    element.buffer().putInt(Layouts.Sge.LKEY, 0x0badcafe);
    NativeMemory request = NativeMemory.allocate(Layouts.SendWr.SIZE);
    request.buffer().putLong(Layouts.SendWr.WR_ID, 42).putLong(Layouts.SendWr.NEXT, 4096)
        .putLong(Layouts.SendWr.SG_LIST, element.address()).putInt(Layouts.SendWr.NUM_SGE, 1)
        .putLong(Layouts.SendWr.REMOTE_ADDR, -2);
    assertThat(functions.postSend(PAIR, request.address(), bad.address())).isEqualTo(-12);
    assertThat(seen.getLong(8)).isEqualTo(42);
    assertThat(seen.getLong(16)).isEqualTo(-2);
    assertThat(seen.getLong(24)).isEqualTo(0x0badcafe);
    assertThat(bad.buffer().getLong(0)).isEqualTo(4096);
    assertThat(functions.postRecv(PAIR, request.address(), bad.address())).isEqualTo(12);
    assertThat(bad.buffer().getLong(0)).isEqualTo(request.address());
  }
}
