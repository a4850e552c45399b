// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab.nfs41;

import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.HexFormat;

/**
 * What stands for an open file or a delegation (RFC 8881 §8.2).
 *
 * @param sequence counts changes of what it stands for
 * @param other the rest, in hexadecimal
 */
public record StateId(int sequence, String other) {

  private static final int OTHER_BYTES = 12;

  static StateId decode(XdrReader reader) {
    return new StateId(reader.int32(), HexFormat.of().formatHex(reader.fixedOpaque(OTHER_BYTES)));
  }

  void encode(XdrWriter writer) {
    writer.int32(sequence).fixedOpaque(HexFormat.of().parseHex(other));
  }
}
