// SPDX-License-Identifier: Apache-2.0
/**
 * What generated code calls. For generated code only: it may change together with the generator, in
 * any release.
 */
package dev.rpcrdma.service.runtime;
