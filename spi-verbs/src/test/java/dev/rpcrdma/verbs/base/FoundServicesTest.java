// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Services, some of which fail. */
@Timeout(20)
class FoundServicesTest {

  private final List<String> read = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private void each(Iterator<String> services) {
    FoundServices.each(services, service -> {
      if (service.isEmpty()) {
        throw new IllegalStateException("empty");
      }
      read.add(service);
    }, failure -> failures.add(failure.getMessage()));
  }

  /** Fails if {@code FoundServices.each} stops at a failure of what reads. */
  @Test
  @DisplayName("A service that cannot be used keeps no other one from being read")
  void goesOn() {
    each(List.of("first", "", "last").iterator());
    assertThat(read).containsExactly("first", "last");
    assertThat(failures).containsExactly("empty");
  }

  /** Fails if {@code FoundServices.each} asks for ever. */
  @Test
  @DisplayName("A loader that fails each time it is asked is asked a hundred times")
  void bound() {
    each(new Iterator<>() {
      @Override
      public boolean hasNext() {
        throw new ServiceConfigurationError("broken");
      }

      @Override
      public String next() {
        throw new AssertionError();
      }
    });
    assertThat(read).isEmpty();
    assertThat(failures).hasSize(100).containsOnly("broken");
  }
}
