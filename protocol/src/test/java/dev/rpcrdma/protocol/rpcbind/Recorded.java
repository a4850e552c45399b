// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

import dev.rpcrdma.protocol.record.RecordReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was said to rpcbind 1.2.6 of Debian 12, and what it answered, in one session, with record marks. Calls whose
 * names end in "local" went over its socket, the others over TCP from the loopback.
 *
 * @param call the call, without its mark
 * @param reply the reply, without its mark
 */
record Recorded(byte[] call, byte[] reply) {

  /** All of it, by name, in its order. */
  static Map<String, Recorded> session() {
    Map<String, Recorded> all = new LinkedHashMap<>();
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(
        Recorded.class.getResourceAsStream("/rpcbind/debian.txt"), StandardCharsets.US_ASCII))) {
      reader.lines().map(line -> line.split(" "))
          .forEach(fields -> all.put(fields[0], new Recorded(record(fields[1]), record(fields[2]))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  private static byte[] record(String digits) {
    List<byte[]> records = new RecordReader(4096).read(ByteBuffer.wrap(HexFormat.of().parseHex(digits)));
    return records.get(0);
  }
}
