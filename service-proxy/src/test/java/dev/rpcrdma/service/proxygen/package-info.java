// SPDX-License-Identifier: Apache-2.0
/** Services of the event bus, as they are before anybody thinks of RDMA. */
@ModuleGen(name = "proxygen", groupPackage = "dev.rpcrdma.service.proxygen")
package dev.rpcrdma.service.proxygen;

import io.vertx.codegen.annotations.ModuleGen;
