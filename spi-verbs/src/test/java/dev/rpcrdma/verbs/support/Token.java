// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.VerbsException;
import java.util.Optional;

/** An exposure of nothing. */
record Token(Object owner, Optional<VerbsException> failure) implements Exposure {

  Token(Object owner) {
    this(owner, Optional.empty());
  }

  @Override
  public int steeringTag() {
    return 1;
  }

  @Override
  public long remoteOffset() {
    return 0;
  }

  @Override
  public int length() {
    return 1;
  }
}
