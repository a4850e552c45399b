// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import io.vertx.codegen.annotations.VertxGen;

/** Some constants. */
@VertxGen
public enum Mood {
  GOOD, BAD, WILD
}
