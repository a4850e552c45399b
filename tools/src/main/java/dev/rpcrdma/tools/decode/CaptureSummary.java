// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import dev.rpcrdma.tools.decode.gss.SecurityContexts;
import java.util.Optional;

/**
 * How much was in a capture.
 *
 * @param protocol the decoder's
 * @param streams how many streams are of that protocol
 * @param skipped how many are of none that is known here
 * @param segments of the protocol
 * @param messages of the protocol
 * @param overTcp how many streams are RPC over TCP; 0 without keys
 * @param contexts of RPCSEC_GSS, for who has keys
 */
record CaptureSummary(String protocol, int streams, int skipped, long segments, long messages, int overTcp,
    Optional<SecurityContexts> contexts) {}
