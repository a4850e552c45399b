// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.options;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.verbs.options.OptionType;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/** Credentials in their JSON form: users of AUTH_SYS in words, others by flavor and body. */
public final class CredentialJson {

  /** Flavor and body, or who it is. */
  public static final OptionType<OpaqueAuth> TYPE =
      OptionType.of("an object", CredentialJson::read, CredentialJson::write);

  private static final Set<String> SYS = Set.of("machine", "uid", "gid", "gids", "stamp");
  private static final Set<String> RAW = Set.of("flavor", "body");
  private static final long MOST = 0xffffffffL;

  private CredentialJson() {}

  static JsonObject write(OpaqueAuth credential) {
    if (credential.flavor() == AuthFlavor.SYS) {
      try {
        AuthSys sys = AuthSys.from(credential);
        if (sys.toAuth().equals(credential)) {
          return write(sys);
        }
      } catch (XdrException e) {
        // It is none, whatever its flavor says.
      }
    }
    return new JsonObject().put("flavor", Integer.toUnsignedLong(credential.flavor()))
        .put("body", Base64.getEncoder().encodeToString(credential.body()));
  }

  private static JsonObject write(AuthSys sys) {
    JsonArray gids = new JsonArray();
    sys.gids().forEach(gid -> gids.add(Integer.toUnsignedLong(gid)));
    return new JsonObject().put("machine", sys.machineName()).put("uid", Integer.toUnsignedLong(sys.uid()))
        .put("gid", Integer.toUnsignedLong(sys.gid())).put("gids", gids)
        .put("stamp", Integer.toUnsignedLong(sys.stamp()));
  }

  static OpaqueAuth read(String name, Object value) {
    // Without a uid nobody is meant: it would be the superuser.
    if (value instanceof JsonObject json && json.containsKey("uid") && SYS.containsAll(json.fieldNames())) {
      return sys(name, json);
    }
    if (value instanceof JsonObject json && RAW.equals(json.fieldNames())
        && json.getValue("body") instanceof String body) {
      try {
        return new OpaqueAuth(number(name, json.getValue("flavor")), Base64.getDecoder().decode(body));
      } catch (IllegalArgumentException | XdrException e) {
        throw wrong(name, value);
      }
    }
    throw wrong(name, value);
  }

  private static OpaqueAuth sys(String name, JsonObject json) {
    List<Integer> gids = new ArrayList<>();
    if (!(json.getValue("gids", new JsonArray()) instanceof JsonArray groups)
        || !(json.getValue("machine", "") instanceof String machine)) {
      throw wrong(name, json);
    }
    groups.forEach(gid -> gids.add(number(name, gid)));
    try {
      return new AuthSys(number(name, json.getValue("stamp", 0)), machine, number(name, json.getValue("uid", 0)),
          number(name, json.getValue("gid", 0)), gids).toAuth();
    } catch (XdrException e) {
      throw wrong(name, json);
    }
  }

  private static int number(String name, Object value) {
    try {
      long number = new BigDecimal(String.valueOf(value)).longValueExact();
      if (value instanceof Number && number >= 0 && number <= MOST) {
        return (int) number;
      }
    } catch (ArithmeticException | NumberFormatException e) {
      // Said below.
    }
    throw wrong(name, value);
  }

  private static IllegalArgumentException wrong(String name, Object value) {
    return new IllegalArgumentException(name + " is an object with machine, uid, gid and gids (16 at most), or one with"
        + " flavor and body (base 64, 400 bytes at most), whose numbers have 32 bits, not "
        + (value == null ? "null" : "what is there"));
  }
}
