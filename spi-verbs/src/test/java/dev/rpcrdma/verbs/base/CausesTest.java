// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is thrown by others. */
class CausesTest {

  @Test
  @DisplayName("A message, or the name of a class in its place")
  void message() {
    assertThat(Causes.message(new EOFException("here"))).isEqualTo("here");
    assertThat(Causes.message(new EOFException())).isEqualTo("java.io.EOFException");
    assertThat(Causes.message(new EOFException(" "))).isEqualTo("java.io.EOFException");
    assertThat(Causes.message(new UnsupportedAddressTypeException())).contains("preferIPv4Stack");
    assertThat(Causes.message(new UnresolvedAddressException())).isEqualTo("the name has no address");
    for (Error thrown : new Error[] {new AssertionError("on purpose"), new StackOverflowError()}) {
      assertThat(Causes.message(new Rude(thrown))).isEqualTo(Rude.class.getName());
      assertThat(Causes.text(new Rude(thrown))).isEqualTo(Rude.class.getName());
      assertThat(Causes.innermost(new IllegalStateException("outer", new Rude(thrown))))
          .isEqualTo("java.lang.IllegalStateException");
    }
    assertThat(Causes.text(null)).isEqualTo("null");
    assertThat(Causes.text(List.of(1))).isEqualTo("[1]");
  }

  @Test
  @DisplayName("Causes come in their order, and end though they go round in a circle")
  void causes() {
    Exception inner = new IllegalStateException("inner");
    Exception outer = new IllegalStateException("outer", inner);
    assertThat(Causes.of(null)).isEmpty();
    assertThat(Causes.of(outer)).containsExactly(outer, inner);
    assertThat(Causes.innermost(outer)).isEqualTo("java.lang.IllegalStateException: inner");
    inner.initCause(outer);
    assertThat(Causes.of(outer)).contains(outer, inner);
    assertThat(Causes.innermost(outer)).startsWith("java.lang.IllegalStateException: ");
  }

  private static final class Rude extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Error thrown;

    Rude(Error thrown) {
      this.thrown = thrown;
    }

    @Override
    public String getMessage() {
      throw thrown;
    }
  }
}
