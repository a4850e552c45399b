// SPDX-License-Identifier: Apache-2.0
/**
 * Reads captures, whoever wrote them: pcap and pcapng, Ethernet and whatever else TCP travels over. Packets are put
 * together to the streams of TCP connections, with their gaps. For tools; no provider needs it.
 *
 * <p>{@link dev.rpcrdma.verbs.capture.read.CaptureFile} is where to begin.
 */
package dev.rpcrdma.verbs.capture.read;
