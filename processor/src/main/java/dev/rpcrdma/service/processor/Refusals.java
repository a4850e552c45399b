// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.annotation.processing.Messager;

/** All that is refused of something, so that it is told at once. */
final class Refusals {

  private final List<Refusal> refusals = new ArrayList<>();

  /** What is read; empty if it is refused. */
  <T> Optional<T> of(Supplier<T> reading) {
    return maybe(() -> Optional.of(reading.get()));
  }

  /** What is read, if there is something; empty also if it is refused. */
  <T> Optional<T> maybe(Supplier<Optional<T>> reading) {
    try {
      return reading.get();
    } catch (Refusal e) {
      refusals.add(e);
      return Optional.empty();
    }
  }

  /** Whether nothing is refused so far. */
  boolean isEmpty() {
    return refusals.isEmpty();
  }

  /** Refuses the whole if a part of it is refused. */
  void check() {
    if (!refusals.isEmpty()) {
      throw Refusal.all(refusals);
    }
  }

  void report(Messager messager) {
    refusals.forEach(refusal -> refusal.report(messager));
  }
}
