// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.util.Map;

/** What holds for the whole tree: FSSTAT, FSINFO, PATHCONF (RFC 1813 §3.3.18 to §3.3.20). */
final class FileSystemProcedures {

  /** Sizes that are no multiple of this cost more. */
  private static final int BLOCK = 4096;
  /** A reply of a listing is best of this size. */
  private static final int LISTING = 64 << 10;
  private static final int MAX_LINKS = 32_000;
  /** FSF3_LINK, FSF3_SYMLINK, FSF3_HOMOGENEOUS, FSF3_CANSETTIME. */
  private static final int PROPERTIES = 0x01 | 0x02 | 0x08 | 0x10;

  private final FileTree tree;
  private final NfsResults results;

  FileSystemProcedures(FileTree tree) {
    this.tree = tree;
    this.results = new NfsResults(tree);
  }

  void addTo(Map<Integer, NfsProcedure> all, NfsProcedure.Workers workers) {
    all.put(NfsBinding.FSSTAT, NfsProcedure.of(workers, this::statistics));
    all.put(NfsBinding.FSINFO, NfsProcedure.of(workers, this::information));
    all.put(NfsBinding.PATHCONF, NfsProcedure.of(workers, this::limits));
  }

  /** What one of the three tells behind the attributes of what it was asked for. */
  private interface Facts {
    XdrEncoder collect() throws NfsException;
  }

  private NfsProcedure.Work telling(XdrReader arguments, Facts facts) {
    FileHandle.Unchecked handle = FileHandle.decode(arguments);
    return caller -> results.withAttributes(handle, node -> {
      Attributes attributes = tree.attributes(node);
      XdrEncoder collected = facts.collect();
      return writer -> {
        writer.int32(NfsStatus.OK.code()).bool(true);
        attributes.encode(writer);
        collected.encode(writer);
      };
    });
  }

  private NfsProcedure.Work statistics(XdrReader arguments) {
    return telling(arguments, () -> {
      FileTree.Space space = tree.space();
      return writer -> writer.int64(space.total()).int64(space.free()).int64(space.usable())
          // How many files there may be is not known: 0, as for systems without a limit.
          .int64(0).int64(0).int64(0)
          // It may have changed at any time.
          .int32(0);
    });
  }

  private NfsProcedure.Work information(XdrReader arguments) {
    // Most, best and multiple, for READ and for WRITE.
    return telling(arguments, () -> writer -> writer.int32(DataProcedures.MAX_DATA)
        .int32(DataProcedures.MAX_DATA).int32(BLOCK)
        .int32(DataProcedures.MAX_DATA).int32(DataProcedures.MAX_DATA).int32(BLOCK)
        .int32(LISTING).int64(Long.MAX_VALUE)
        // Times are kept to the nanosecond.
        .int32(0).int32(1).int32(PROPERTIES));
  }

  private NfsProcedure.Work limits(XdrReader arguments) {
    // Names are not cut, owners not given away, and case matters and is kept.
    return telling(arguments, () -> writer -> writer.int32(MAX_LINKS).int32(FileName.MAX_LENGTH)
        .bool(true).bool(true).bool(false).bool(true));
  }
}
