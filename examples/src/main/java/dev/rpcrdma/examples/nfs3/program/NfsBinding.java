// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.program;

import static dev.rpcrdma.protocol.binding.ReplyBound.UNPREDICTABLE;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileHandle;
import dev.rpcrdma.examples.nfs3.model.WeakCacheConsistency;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * NFS version 3 over RPC-over-RDMA (RFC 8267 §4). DDP-eligible are the data of WRITE and READ and
 * the paths of SYMLINK and READLINK, and nothing else. Replies are bounded by their types, those of
 * READDIR and READDIRPLUS by what the call asks for.
 */
public final class NfsBinding {

  /** The program's number. */
  public static final int PROGRAM = 100_003;
  /** The version that is meant here. */
  public static final int VERSION = 3;
  /** RFC 8267 §4.2 and §9: where NFS over RDMA is by convention. */
  public static final int PORT = 20_049;

  static final int GETATTR = 1;
  static final int SETATTR = 2;
  static final int LOOKUP = 3;
  static final int ACCESS = 4;
  static final int READLINK = 5;
  static final int READ = 6;
  static final int WRITE = 7;
  static final int CREATE = 8;
  static final int MKDIR = 9;
  static final int SYMLINK = 10;
  static final int MKNOD = 11;
  static final int REMOVE = 12;
  static final int RMDIR = 13;
  static final int RENAME = 14;
  static final int LINK = 15;
  static final int READDIR = 16;
  static final int READDIRPLUS = 17;
  static final int FSSTAT = 18;
  static final int FSINFO = 19;
  static final int PATHCONF = 20;
  static final int COMMIT = 21;

  /**
   * Those that only look. WRITE and SETATTR are not even idempotent: each may come again after another.
   * COMMIT is, but only the server that has the data can put it on its disk.
   */
  private static final int[] LOOKING = {GETATTR, LOOKUP, ACCESS, READLINK, READ, READDIR,
      READDIRPLUS, FSSTAT, FSINFO, PATHCONF};

  // The parts that results are made of, in bytes.
  private static final int STATUS = 4;
  private static final int OBJECT = 4 + Attributes.LENGTH;
  private static final int CHANGE = WeakCacheConsistency.MAX_LENGTH;
  private static final int HANDLE = 4 + FileHandle.MAX_LENGTH;
  private static final int MADE = 4 + HANDLE + OBJECT + CHANGE;

  /** The binding. */
  public static final UpperLayerBinding BINDING = binding();

  private NfsBinding() {}

  private static UpperLayerBinding binding() {
    Map<Integer, ProcedureBinding> all = new HashMap<>();
    add(all, GETATTR, "GETATTR", STATUS + Attributes.LENGTH);
    add(all, SETATTR, "SETATTR", STATUS + CHANGE);
    add(all, LOOKUP, "LOOKUP", STATUS + HANDLE + 2 * OBJECT);
    add(all, ACCESS, "ACCESS", STATUS + OBJECT + 4);
    all.put(READLINK, new ProcedureBinding("READLINK", 0, 1, ReplyBound.of(STATUS + OBJECT + 4)));
    all.put(READ, new ProcedureBinding("READ", 0, 1, ReplyBound.of(STATUS + OBJECT + 12)));
    all.put(WRITE, new ProcedureBinding("WRITE", 1, 0, ReplyBound.of(STATUS + CHANGE + 16)));
    add(all, CREATE, "CREATE", STATUS + MADE);
    add(all, MKDIR, "MKDIR", STATUS + MADE);
    all.put(SYMLINK, new ProcedureBinding("SYMLINK", 1, 0, ReplyBound.of(STATUS + MADE)));
    add(all, MKNOD, "MKNOD", STATUS + MADE);
    add(all, REMOVE, "REMOVE", STATUS + CHANGE);
    add(all, RMDIR, "RMDIR", STATUS + CHANGE);
    add(all, RENAME, "RENAME", STATUS + 2 * CHANGE);
    add(all, LINK, "LINK", STATUS + OBJECT + CHANGE);
    all.put(READDIR, new ProcedureBinding("READDIR", 0, 0, UNPREDICTABLE));
    all.put(READDIRPLUS, new ProcedureBinding("READDIRPLUS", 0, 0, UNPREDICTABLE));
    add(all, FSSTAT, "FSSTAT", STATUS + OBJECT + 52);
    add(all, FSINFO, "FSINFO", STATUS + OBJECT + 48);
    add(all, PATHCONF, "PATHCONF", STATUS + OBJECT + 24);
    add(all, COMMIT, "COMMIT", STATUS + CHANGE + 8);
    for (int looking : LOOKING) {
      all.computeIfPresent(looking, (number, procedure) -> procedure.asReadOnly());
    }
    all.computeIfPresent(COMMIT, (number, procedure) -> procedure.asIdempotent());
    return new UpperLayerBinding("NFS", PROGRAM, VERSION, OptionalInt.of(PORT), all);
  }

  private static void add(Map<Integer, ProcedureBinding> all, int number, String name, int bound) {
    all.put(number, new ProcedureBinding(name, 0, 0, ReplyBound.of(bound)));
  }
}
