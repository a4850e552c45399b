// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The AUTH_SYS credential (RFC 5531 appendix A): ids that the caller states and nobody verifies.
 *
 * <p>The name of the machine is whatever its administrator has typed: to XDR a string is bytes (RFC 4506
 * §4.11). It is read as UTF-8, and as ISO-8859-1, in which no byte is lost, if it is not that; it is written
 * as UTF-8, and as ISO-8859-1 if it fits so only. {@link OpaqueAuth} has the bytes themselves.
 *
 * @param stamp an arbitrary number of the caller's machine
 * @param machineName the caller's machine, at most 255 bytes
 * @param uid the effective user id
 * @param gid the effective group id
 * @param gids further groups, at most 16
 */
public record AuthSys(int stamp, String machineName, int uid, int gid, List<Integer> gids) {

  private static final int MAX_MACHINE_NAME = 255;
  private static final int MAX_GIDS = 16;

  /**
   * Copies the groups, and checks their number and the length of the name.
   *
   * @throws XdrException if either exceeds its bound
   */
  public AuthSys {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(machineName)) {
      throw new XdrException("The name of a machine in AUTH_SYS has half of a surrogate pair");
    }
    if (encoded(machineName).length > MAX_MACHINE_NAME) {
      throw new XdrException("The name of a machine in AUTH_SYS has at most " + MAX_MACHINE_NAME
          + " bytes, not " + encoded(machineName).length);
    }
    gids = List.copyOf(gids);
    if (gids.size() > MAX_GIDS) {
      throw new XdrException("AUTH_SYS carries at most 16 groups, not " + gids.size());
    }
  }

  private static byte[] encoded(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    boolean narrow = bytes.length > MAX_MACHINE_NAME && name.chars().allMatch(c -> c <= 0xff);
    return narrow ? name.getBytes(StandardCharsets.ISO_8859_1) : bytes;
  }

  private static String decoded(byte[] name) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
    } catch (CharacterCodingException e) {
      return new String(name, StandardCharsets.ISO_8859_1);
    }
  }

  /**
   * The credential to put into calls; its verifier is AUTH_NONE.
   *
   * @return the encoded form
   */
  public OpaqueAuth toAuth() {
    XdrWriter writer = new XdrWriter(64 + machineName.length());
    writer.int32(stamp).opaque(encoded(machineName)).int32(uid).int32(gid).int32(gids.size());
    gids.forEach(writer::int32);
    return new OpaqueAuth(AuthFlavor.SYS, writer.toByteArray());
  }

  /**
   * Reads the credential of a call.
   *
   * @param auth of flavor {@link AuthFlavor#SYS}
   * @return the ids
   * @throws XdrException if the body is malformed, which answers BADCRED
   */
  public static AuthSys from(OpaqueAuth auth) {
    if (auth.flavor() != AuthFlavor.SYS) {
      throw new XdrException("Not AUTH_SYS but flavor " + auth.flavor());
    }
    XdrReader reader = new XdrReader(ByteBuffer.wrap(auth.body()));
    int stamp = reader.int32();
    String name = decoded(reader.opaque(MAX_MACHINE_NAME));
    int uid = reader.int32();
    int gid = reader.int32();
    int count = reader.count(MAX_GIDS, 4);
    List<Integer> gids = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      gids.add(reader.int32());
    }
    reader.end();
    return new AuthSys(stamp, name, uid, gid, gids);
  }
}
