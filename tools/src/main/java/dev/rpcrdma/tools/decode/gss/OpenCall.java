// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.token.ContextRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * A call that has no reply yet.
 *
 * @param credential its
 * @param context that it is protected by; null if it makes one
 * @param request of the context that it makes; null if it makes none, or was not opened
 * @param reason why it was not opened
 * @param earlier attempts of the same XID, the newest first, none of which has earlier ones itself
 */
record OpenCall(GssCredential credential, KnownContext context, ContextRequest request, String reason,
    List<OpenCall> earlier) {

  /** Attempts that are known beside the last one. */
  private static final int MOST_EARLIER = 15;

  static OpenCall of(GssCredential credential, KnownContext context) {
    return new OpenCall(credential, context, null, "", List.of());
  }

  static OpenCall making(GssCredential credential, ContextRequest request) {
    return new OpenCall(credential, null, request, "", List.of());
  }

  static OpenCall unopened(GssCredential credential, String reason) {
    return new OpenCall(credential, null, null, reason, List.of());
  }

  /** Returns this call as another attempt of one before, which may be null. */
  OpenCall after(OpenCall before) {
    if (before == null) {
      return this;
    }
    List<OpenCall> all = new ArrayList<>(List.of(before.withEarlier(List.of())));
    all.addAll(before.earlier);
    return withEarlier(List.copyOf(all.subList(0, Math.min(MOST_EARLIER, all.size()))));
  }

  private OpenCall withEarlier(List<OpenCall> attempts) {
    return new OpenCall(credential, context, request, reason, attempts);
  }
}
