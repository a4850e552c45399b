// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.capture.read;

import java.nio.ByteBuffer;

/**
 * One frame of a capture.
 *
 * @param frame its number, from 1
 * @param linkType what its bytes begin with, a LINKTYPE of the pcap formats
 * @param bytes what was captured of it, big-endian
 */
record CapturedPacket(long frame, int linkType, ByteBuffer bytes) {
}
