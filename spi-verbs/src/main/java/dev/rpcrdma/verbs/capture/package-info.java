// SPDX-License-Identifier: Apache-2.0
/**
 * Captures: what a provider sends and receives over TCP, as a pcapng file for Wireshark.
 *
 * <p>A provider opens one {@link dev.rpcrdma.verbs.capture.Capture} per device and one
 * {@link dev.rpcrdma.verbs.capture.CapturedStream} per connection, and tells it the bytes of both
 * directions. Since a user-space provider sees streams and not packets, the packets are made up:
 * handshake, sequence numbers, checksums and FIN are such that Wireshark puts the streams together
 * again and decodes what is in them.
 *
 * <p>What judges the streams of a capture is a provider's {@link dev.rpcrdma.verbs.capture.CaptureDecoder}. What reads
 * captures is in the package {@code read}.
 */
package dev.rpcrdma.verbs.capture;
