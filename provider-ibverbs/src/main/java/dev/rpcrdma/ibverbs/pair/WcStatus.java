// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import dev.rpcrdma.ibverbs.ffi.Numbers;
import dev.rpcrdma.verbs.DisconnectReason.Kind;

/** What {@code enum ibv_wc_status} means. */
final class WcStatus {

  private static final String[] TEXTS = {
      "success", "the memory of a request does not suffice (LOC_LEN_ERR)", "the queue pair is broken (LOC_QP_OP_ERR)",
      "LOC_EEC_OP_ERR", "the memory of a request is not registered (LOC_PROT_ERR)", "flushed (WR_FLUSH_ERR)",
      "MW_BIND_ERR", "the peer's answer makes no sense (BAD_RESP_ERR)", "the peer may not do that (LOC_ACCESS_ERR)",
      "the peer could not take the message: it has no Receive that is long enough (REM_INV_REQ_ERR)",
      "the peer's device refuses the access (REM_ACCESS_ERR)", "the peer's device has failed (REM_OP_ERR)",
      "the peer does not answer (RETRY_EXC_ERR)", "the peer has no Receive for a message (RNR_RETRY_EXC_ERR)"};
  private static final int FIRST_OF_PEER = 9;
  private static final int LAST_OF_PEER = 13;

  private WcStatus() {}

  static boolean isFlushed(int status) {
    return status == Numbers.WC_WR_FLUSH_ERR;
  }

  /** Tells whether the peer's device has refused a tag, or an access that the tag does not allow. */
  static boolean isRefusedAccess(int status) {
    return status == Numbers.WC_REM_ACCESS_ERR;
  }

  static String text(int status) {
    return status >= 0 && status < TEXTS.length ? TEXTS[status] : "completion status " + status;
  }

  /** Whose error it is. */
  static Kind kind(int status) {
    return status >= FIRST_OF_PEER && status <= LAST_OF_PEER ? Kind.REMOTE_ERROR : Kind.LOCAL_ERROR;
  }
}
