// SPDX-License-Identifier: Apache-2.0
/** Messages of an event bus over a bridge, beside those of a clustered event bus. */
@ModuleGen(name = "bench", groupPackage = "dev.rpcrdma.bench")
package dev.rpcrdma.bench.bridge;

import io.vertx.codegen.annotations.ModuleGen;
