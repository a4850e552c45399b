// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab.nfs41;

import dev.rpcrdma.protocol.xdr.XdrDecoder;
import dev.rpcrdma.protocol.xdr.XdrEncoder;

/**
 * One operation of a COMPOUND.
 *
 * @param number its number
 * @param arguments writes them
 * @param results reads what follows a status of success
 * @param <T> the type of the results
 */
record Operation<T>(int number, XdrEncoder arguments, XdrDecoder<T> results) {}
