// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.lab.nfs41;

import dev.rpcrdma.protocol.xdr.XdrDecoder;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.Optional;

/** Operations that find, open and close files. */
final class FileOperations {

  static final int HANDLE_BYTES = 128;

  private static final int SHARE_ACCESS_READ = 1;
  private static final int WANT_READ_DELEGATION = 0x100;
  private static final int DENY_NONE = 0;
  private static final int NO_CREATE = 0;
  private static final int CLAIM_NULL = 0;
  private static final int DELEGATE_NONE = 0;
  private static final int DELEGATE_READ = 1;
  private static final int DELEGATE_NONE_EXTENDED = 3;
  private static final int NONE_FOR_CONTENTION = 1;
  private static final int NONE_FOR_RESOURCES = 2;
  private static final int MAX_WHO = 1024;
  private static final int MAX_BITMAP = 8;

  private FileOperations() {}

  /** PUTROOTFH (§18.21): makes the root the current file. */
  static Operation<Void> putRoot() {
    return new Operation<>(24, XdrEncoder.VOID, XdrDecoder.VOID);
  }

  /** LOOKUP (§18.13): from the current directory to a file in it. */
  static Operation<Void> lookUp(String name) {
    return new Operation<>(15, w -> w.string(name), XdrDecoder.VOID);
  }

  /** GETFH (§18.8): the current file's handle. */
  static Operation<byte[]> handle() {
    return new Operation<>(10, XdrEncoder.VOID, r -> r.opaque(HANDLE_BYTES));
  }

  /** OPEN (§18.16) of a file in the current directory, to read it; a delegation is welcome. */
  static Operation<Opened> open(long client, String name) {
    return new Operation<>(18, w -> w.int32(0).int32(SHARE_ACCESS_READ | WANT_READ_DELEGATION)
        .int32(DENY_NONE).int64(client).string(name).int32(NO_CREATE).int32(CLAIM_NULL)
        .string(name), r -> {
      StateId file = StateId.decode(r);
      r.fixedOpaque(4 + 8 + 8 + 4);
      r.fixedOpaque(4 * r.count(MAX_BITMAP));
      return new Opened(file, delegation(r));
    });
  }

  private static Optional<StateId> delegation(XdrReader reader) {
    int type = reader.int32();
    switch (type) {
      case DELEGATE_NONE -> {
        return Optional.empty();
      }
      case DELEGATE_NONE_EXTENDED -> {
        int reason = reader.int32();
        if (reason == NONE_FOR_CONTENTION || reason == NONE_FOR_RESOURCES) {
          // Whether the server will tell when that has changed.
          reader.int32();
        }
        return Optional.empty();
      }
      case DELEGATE_READ -> {
        StateId delegation = StateId.decode(reader);
        reader.bool();
        reader.fixedOpaque(3 * 4);
        reader.string(MAX_WHO);
        return Optional.of(delegation);
      }
      default -> throw new XdrException("Delegation of type " + type);
    }
  }

  /** DELEGRETURN (§18.6) of the current file's delegation. */
  static Operation<Void> returnDelegation(StateId delegation) {
    return new Operation<>(8, delegation::encode, XdrDecoder.VOID);
  }

  /** CLOSE (§18.2) of the current file. */
  static Operation<StateId> close(StateId file) {
    return new Operation<>(4, w -> {
      w.int32(0);
      file.encode(w);
    }, StateId::decode);
  }
}
