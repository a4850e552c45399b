// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.decode.gss;

import dev.rpcrdma.examples.krb5.ContextRequest;
import dev.rpcrdma.protocol.gss.GssCredential;

/**
 * A call that has no reply yet.
 *
 * @param credential its
 * @param context that it is protected by; null if it makes one
 * @param request of the context that it makes; null if it makes none, or was not opened
 * @param reason why it was not opened
 */
record OpenCall(GssCredential credential, KnownContext context, ContextRequest request, String reason) {

  static OpenCall of(GssCredential credential, KnownContext context) {
    return new OpenCall(credential, context, null, "");
  }

  static OpenCall making(GssCredential credential, ContextRequest request) {
    return new OpenCall(credential, null, request, "");
  }

  static OpenCall unopened(GssCredential credential, String reason) {
    return new OpenCall(credential, null, null, reason);
  }
}
