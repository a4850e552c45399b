// SPDX-License-Identifier: Apache-2.0
/**
 * One module to require: annotated interfaces, clients and servers. The embedded provider is found by those who look for
 * providers.
 */
module dev.rpcrdma {
  requires transitive dev.rpcrdma.api;
  requires transitive dev.rpcrdma.service;
}
