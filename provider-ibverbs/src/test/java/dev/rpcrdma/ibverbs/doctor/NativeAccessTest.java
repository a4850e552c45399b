// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is said when jnr-ffi cannot be used. */
class NativeAccessTest {

  private static final String CANNOT_LOAD = "cannot unpack and load its native part";

  @Test
  @DisplayName("A class that is missing, also where Java does not say which")
  void missing() {
    assertThat(NativeAccess.problem(new NoClassDefFoundError("jnr/ffi/Runtime")).text())
        .contains("not on the class path").contains("jnr.ffi.Runtime is missing");
    assertThat(NativeAccess.problem(new NoClassDefFoundError()).text()).doesNotContain("null");
  }

  /** Fails if {@code NativeAccess} takes each NoClassDefFoundError for a class that is not there. */
  @Test
  @DisplayName("The native part cannot be loaded: the first time, and when others have tried it before")
  void notLoaded() {
    LinkageError first = catchThrowableOfType(LinkageError.class, () -> Failing.VALUE.toString());
    LinkageError second = catchThrowableOfType(LinkageError.class, () -> Failing.VALUE.toString());
    assertThat(first).isInstanceOf(UnsatisfiedLinkError.class);
    assertThat(second).isInstanceOf(NoClassDefFoundError.class);
    assertThat(NativeAccess.problem(first).text()).contains(CANNOT_LOAD).endsWith(": no map segment");
    assertThat(NativeAccess.problem(new ExceptionInInitializerError(first)).text()).endsWith(": no map segment");
    assertThat(NativeAccess.problem(second).text()).contains(CANNOT_LOAD).contains(": no map segment");
    assertThat(NativeAccess.problem(new UnsatisfiedLinkError()).text()).contains(CANNOT_LOAD).doesNotContain("null");
  }

  private static final class Failing {

    private static final Object VALUE = load();

    private static Object load() {
      throw new UnsatisfiedLinkError("no map segment");
    }
  }
}
