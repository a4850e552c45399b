// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.Optional;
import javax.lang.model.type.TypeMirror;

/** What a method of a service may return beside a future of a value. */
interface ResultRules {

  /** Nothing else: that of programs. */
  ResultRules FUTURES = new ResultRules() {

    @Override
    public boolean isOneWay(TypeMirror returned) {
      return false;
    }

    @Override
    public Optional<WireType> object(TypeMirror content) {
      return Optional.empty();
    }
  };

  /** Whether a method that returns this has no result that anybody waits for. */
  boolean isOneWay(TypeMirror returned);

  /** The type of the content of a future that is an object of the service. */
  Optional<WireType> object(TypeMirror content);
}
