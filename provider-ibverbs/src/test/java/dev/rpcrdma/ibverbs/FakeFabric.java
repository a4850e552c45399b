// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.ibverbs.ffi.FakeRdmaCore;
import dev.rpcrdma.ibverbs.ffi.RdmaCore;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.ConnectionOptions;
import dev.rpcrdma.verbs.DeviceOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A fabric inside this process, of {@code fake_fabric.c}: for each test as new. At each test's end, when its devices
 * are closed, nothing native is alive, and nothing was done that must not be. Compiled once for all tests of a JVM.
 */
public final class FakeFabric implements BeforeEachCallback, AfterEachCallback {

  /** What the device does as. */
  public enum Kind { ROCE, SIW }

  /** Who of a connection. */
  public enum Role { CONNECTS, ACCEPTS, LISTENS }

  /** Of a connection that is not to come up, however slow the machine is. */
  public static final ConnectionOptions BRIEF = ConnectionOptions.DEFAULT.withTimeout(Duration.ofMillis(300));
  /** Of a connection that is to come as far as it can, and then no further. */
  public static final ConnectionOptions SHORT = ConnectionOptions.DEFAULT.withTimeout(Duration.ofSeconds(1));
  private static final int CLOSE_MILLIS = 150;
  private static final int STARTUP_MILLIS = 1500;
  /** Instead of an event: none. */
  public static final int NO_EVENT = -1;
  /** Of all types. */
  public static final int ANY_EVENT = -1;
  /** However often it is. */
  public static final long ALWAYS = 1L << 40;

  /** Functions of the compiled file's own; see there. */
  public interface Control {
    void fakeReset(int iwarp);

    String fakeViolations();

    String fakeAlive();

    long fakeAliveOf(String kind);

    long fakeMadeOf(String kind);

    long fakeCalls(String function);

    long fakeRequests();

    long fakeReceives();

    void fakeFail(String function, int errno, long skip, long times);

    long fakeUnfailed(String function);

    void fakeHold(String function, int held);

    void fakeInstead(int type, int instead, int status, long skip, long times);

    int fakeEvent(int role, int type, int status);

    void fakeRemoveDevice();

    int fakeComplete(int role, long request, int status, int length);

    void fakeStatus(int opcode, int status, long times);

    void fakeStall(int stalled);

    void fakeOverlook();
  }

  private static final class Compiled {
    static final Path ROOT = folder();
    static final RdmaCore CORE;
    static final Control CONTROL;

    static {
      try {
        String library = FakeRdmaCore.compile(ROOT, "/fake_fabric.c").toString();
        CORE = RdmaCore.load(library, library);
        CONTROL = FakeRdmaCore.control(Control.class, Path.of(library));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    private Compiled() {}

    /** With the one file that the provider looks for. */
    private static Path folder() {
      try {
        Path made = Files.createTempDirectory("fake-fabric");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(made)));
        Files.createFile(Files.createDirectories(made.resolve("dev/infiniband")).resolve("rdma_cm"));
        return made;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void delete(Path folder) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      } catch (IOException e) {
        // It is a temporary one.
      }
    }
  }

  private Kind kind;

  /**
   * A fabric.
   *
   * @param kind what its first device does as
   */
  public FakeFabric(Kind kind) {
    this.kind = kind;
  }

  /** The provider on it. */
  public IbverbsProvider provider() {
    return new IbverbsProvider(Compiled.ROOT, () -> Compiled.CORE);
  }

  /** A device for one test, whose deadlines are short. */
  public VerbsBed bed() {
    return bed(new JsonObject());
  }

  /** The same with settings of the test's own. */
  public VerbsBed bed(JsonObject settings) {
    return new VerbsBed(provider(), DeviceOptions.DEFAULT.withSettings(new JsonObject()
        .put("closeTimeoutMillis", CLOSE_MILLIS).put("startupTimeoutMillis", STARTUP_MILLIS).mergeIn(settings)));
  }

  /** What it does, and has seen. */
  public Control control() {
    return Compiled.CONTROL;
  }

  /** Its functions, in the place of rdma-core's. */
  public static RdmaCore core() {
    return Compiled.CORE;
  }

  /** Whether it does as siw. */
  public boolean isSiw() {
    return kind == Kind.SIW;
  }

  /** Begins anew, as another kind. */
  public void reset(Kind other) {
    kind = other;
    reset();
  }

  /** Begins anew. */
  public void reset() {
    control().fakeReset(kind.ordinal());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    reset();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    assertNothingLeft();
  }

  /** All devices are closed: nothing native is alive, and no rule was broken. */
  public void assertNothingLeft() {
    try {
      Waiting.until(() -> control().fakeAlive().isEmpty() || !control().fakeViolations().isEmpty());
    } catch (AssertionError e) {
      throw new AssertionError("Still alive: " + control().fakeAlive(), e);
    } finally {
      assertThat(control().fakeViolations()).as("what was done wrong").isEmpty();
    }
  }
}
