// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.tree.Caller;
import dev.rpcrdma.examples.nfs3.tree.FileTree;
import dev.rpcrdma.examples.nfs3.tree.Found;
import dev.rpcrdma.examples.nfs3.tree.Listings;
import dev.rpcrdma.examples.nfs3.tree.Node;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is in directories: READDIR and READDIRPLUS (RFC 1813 §3.3.16, §3.3.17). No reply is longer
 * than its call asked for: that is the room the client has made (RFC 8267 §4.1).
 */
final class ListingProcedures {

  /** Longer replies are cut in any case. */
  private static final int MAX_REPLY = 1 << 20;
  /** What results have around their entries: attributes, verifier, the two flags of the end. */
  private static final int FRAME = 4 + Attributes.LENGTH + 8 + 8;

  private final FileTree tree;
  private final Listings listings;
  private final NfsResults results;

  /**
   * What a call asks for.
   *
   * @param cookie behind which to go on
   * @param names how many bytes of names and numbers at most
   * @param all how many bytes of results at most
   * @param plus whether with attributes and handles
   */
  private record Range(long cookie, int names, int all, boolean plus) {}

  /** How much of each entry goes into a reply. */
  private enum Form {
    /** READDIR. */
    NAME,
    /** READDIRPLUS for a caller who may not search the directory. */
    NAME_WITHOUT_MORE,
    /** READDIRPLUS. */
    ALL
  }

  ListingProcedures(FileTree tree) {
    this.tree = tree;
    this.listings = new Listings(tree);
    this.results = new NfsResults(tree);
  }

  void addTo(Map<Integer, NfsProcedure> all, NfsProcedure.Workers workers) {
    all.put(NfsBinding.READDIR, NfsProcedure.of(workers, this::readDirectory));
    all.put(NfsBinding.READDIRPLUS, NfsProcedure.of(workers, this::readDirectoryPlus));
  }

  private NfsProcedure.Work readDirectory(XdrReader arguments) {
    FileHandle.Unchecked handle = FileHandle.decode(arguments);
    long cookie = arguments.int64();
    // The verifier: cookies here are good for ever, so it says nothing.
    arguments.int64();
    int count = bounded(arguments.int32());
    return caller -> list(caller, handle, new Range(cookie, count, count, false));
  }

  private NfsProcedure.Work readDirectoryPlus(XdrReader arguments) {
    FileHandle.Unchecked handle = FileHandle.decode(arguments);
    long cookie = arguments.int64();
    arguments.int64();
    int names = bounded(arguments.int32());
    int all = bounded(arguments.int32());
    return caller -> list(caller, handle, new Range(cookie, names, all, true));
  }

  private static int bounded(int count) {
    return count < 0 ? MAX_REPLY : Math.min(count, MAX_REPLY);
  }

  private XdrEncoder list(Caller caller, FileHandle.Unchecked handle, Range range) {
    return results.withAttributes(handle, node -> {
      List<Listings.Entry> entries = listings.after(caller, node, range.cookie());
      XdrWriter list = new XdrWriter(Math.min(range.all(), 16 << 10));
      boolean atEnd = write(node, entries, range, form(caller, node, range), list);
      byte[] bytes = list.toByteArray();
      Optional<Attributes> attributes = tree.attributesIfThere(node);
      return writer -> {
        writer.int32(NfsStatus.OK.code());
        Attributes.encode(attributes, writer);
        writer.int64(0).fixedOpaque(bytes).bool(false).bool(atEnd);
      };
    });
  }

  private Form form(Caller caller, Node directory, Range range) throws NfsException {
    if (!range.plus()) {
      return Form.NAME;
    }
    // RFC 1813 §3.3.17: both are optional for each entry.
    return listings.maySearch(caller, directory) ? Form.ALL : Form.NAME_WITHOUT_MORE;
  }

  /** Writes as many entries as there is room for; tells whether these are all. */
  private boolean write(Node directory, List<Listings.Entry> entries, Range range, Form form, XdrWriter list)
      throws NfsException {
    if (FRAME > range.all()) {
      throw new NfsException(NfsStatus.TOOSMALL, "no room for a listing without entries in " + range.all());
    }
    int names = 0;
    for (Listings.Entry entry : entries) {
      Optional<Found> found = listings.look(directory, entry);
      if (found.isEmpty()) {
        continue;
      }
      XdrWriter one = new XdrWriter();
      one.bool(true).int64(found.get().attributes().fileId()).string(entry.name())
          .int64(entry.cookie());
      int name = one.length();
      if (form == Form.ALL) {
        one.bool(true);
        found.get().attributes().encode(one);
        one.bool(true);
        tree.handle(found.get().node()).encode(one);
      } else if (form == Form.NAME_WITHOUT_MORE) {
        one.bool(false).bool(false);
      }
      if (FRAME + list.length() + one.length() > range.all()) {
        if (list.length() == 0) {
          throw new NfsException(NfsStatus.TOOSMALL, "no room for an entry in " + range.all());
        }
        return false;
      }
      if (names + name > range.names() && names > 0) {
        return false;
      }
      names += name;
      list.fixedOpaque(one.toByteArray());
    }
    return true;
  }
}
