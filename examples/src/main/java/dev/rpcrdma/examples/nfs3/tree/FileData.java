// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.model.WeakCacheConsistency;
import dev.rpcrdma.verbs.base.Causes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.SecureRandom;
import java.util.Optional;

/** Reads and writes regular files (RFC 1813 §3.3.6, §3.3.7, §3.3.21). */
public final class FileData {

  /**
   * What was read.
   *
   * @param attributes of the file, if it is still there
   * @param atEnd whether there is no more behind it
   */
  public record Read(Optional<Attributes> attributes, boolean atEnd) {}

  private record Opened(FileChannel channel, Attributes attributes) {}

  private final FileTree tree;
  /** Tells clients that data which they wrote to an earlier run may be lost. */
  private final long verifier = new SecureRandom().nextLong();

  /**
   * Creates it.
   *
   * @param tree whose files
   */
  public FileData(FileTree tree) {
    this.tree = tree;
  }

  /**
   * What tells one run of the server from another (RFC 1813 §3.3.7, writeverf3).
   *
   * @return always the same
   */
  public long verifier() {
    return verifier;
  }

  /**
   * Reads.
   *
   * @param caller who asks
   * @param node of which file
   * @param offset unsigned
   * @param target filled as far as the file goes; its position advances
   * @return how it went
   * @throws NfsException if it cannot be read
   */
  public Read read(Caller caller, Node node, long offset, ByteBuffer target) throws NfsException {
    Opened file = tree.looking(node, at -> {
      caller.requireData(at.regular().attributes(), Caller.READ);
      return new Opened(DataFile.forReading(tree, at), at.attributes());
    });
    try (FileChannel channel = file.channel()) {
      // Behind the end there may be places that the system refuses to be asked about.
      boolean atEnd = offset < 0 || offset >= channel.size() || fill(channel, offset, target);
      return new Read(tree.attributesIfThere(node), atEnd);
    } catch (IOException e) {
      throw new NfsException(IoFailures.status(e), Causes.message(e));
    }
  }

  /** Tells whether the file ends where reading ended. */
  private static boolean fill(FileChannel channel, long offset, ByteBuffer target)
      throws IOException {
    long at = offset;
    while (target.hasRemaining()) {
      int count = channel.read(target, at);
      if (count < 0) {
        return true;
      }
      at += count;
    }
    return at >= channel.size();
  }

  /**
   * Writes. Writers of one file take turns, so that each knows what it has changed.
   *
   * @param caller who asks
   * @param node of which file
   * @param offset unsigned
   * @param data its remaining bytes; its position advances
   * @param stability what must be true when this returns
   * @return how it went
   */
  public Change<Boolean> write(Caller caller, Node node, long offset, ByteBuffer data,
      Stability stability) {
    synchronized (node) {
      Optional<Attributes> before = Optional.empty();
      try {
        Opened file = open(caller, node, data.hasRemaining());
        before = Optional.of(file.attributes());
        try (FileChannel channel = file.channel()) {
          write(channel, offset, data);
          if (stability != Stability.UNSTABLE) {
            channel.force(stability == Stability.FILE_SYNC);
          }
        }
        return new Change<>(NfsStatus.OK, tree.since(before, node), Optional.of(true));
      } catch (NfsException e) {
        return failed(e.status(), before, node);
      } catch (IOException e) {
        return failed(IoFailures.status(e), before, node);
      }
    }
  }

  private Opened open(Caller caller, Node node, boolean changing) throws NfsException {
    return tree.looking(node, at -> {
      tree.requireWritable();
      caller.requireData(at.regular().attributes(), Caller.WRITE);
      FileChannel channel = DataFile.forWriting(tree, at);
      try {
        if (changing) {
          AttributeChanges.dropPrivileges(caller, at);
        }
        return new Opened(channel, at.attributes());
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    });
  }

  private static void write(FileChannel channel, long offset, ByteBuffer data)
      throws IOException, NfsException {
    if (offset < 0 || offset > Long.MAX_VALUE - data.remaining()) {
      throw new NfsException(NfsStatus.FBIG, "at " + Long.toUnsignedString(offset));
    }
    long at = offset;
    while (data.hasRemaining()) {
      at += channel.write(data, at);
    }
  }

  private Change<Boolean> failed(NfsStatus status, Optional<Attributes> before, Node node) {
    return new Change<>(status, tree.since(before, node), Optional.empty());
  }

  /**
   * Makes sure that what was written is there after a crash: all of it, whatever range is asked
   * for.
   *
   * @param caller who asks
   * @param node of which file
   * @return how it went
   */
  public Change<Boolean> commit(Caller caller, Node node) {
    Optional<Attributes> before = Optional.empty();
    try {
      Opened file = tree.looking(node, at -> new Opened(DataFile.forReading(tree, at.regular()),
          at.attributes()));
      before = Optional.of(file.attributes());
      try (FileChannel channel = file.channel()) {
        channel.force(true);
      }
      return new Change<>(NfsStatus.OK,
          new WeakCacheConsistency(Optional.empty(), tree.attributesIfThere(node)),
          Optional.of(true));
    } catch (NfsException e) {
      return failed(e.status(), before, node);
    } catch (IOException e) {
      return failed(IoFailures.status(e), before, node);
    }
  }
}
