// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileType;
import dev.rpcrdma.examples.nfs3.model.NfsException;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who asks, by what the call's credentials say. In any case nobody can do more than the process of
 * the server can.
 *
 * @param uid the user; 0 may do everything
 * @param gid the group
 * @param groups further groups
 */
public record Caller(int uid, int gid, Set<Integer> groups) {

  /** May read. */
  public static final int READ = 4;
  /** May write. */
  public static final int WRITE = 2;
  /** May execute, or search a directory. */
  public static final int EXECUTE = 1;

  private static final int NOBODY_ID = 65534;

  /** Who shows no credentials, and who is not trusted to be user 0. */
  public static final Caller NOBODY = new Caller(NOBODY_ID, NOBODY_ID, Set.of());

  private static final int ANY_EXECUTE = 0111;
  private static final int STICKY = 01000;
  private static final int SET_USER_ID = 04000;
  private static final int SET_GROUP_ID = 02000;

  /** Copies the groups. */
  public Caller {
    groups = Set.copyOf(groups);
  }

  /**
   * Whether everything is allowed.
   *
   * @return true for user 0
   */
  public boolean privileged() {
    return uid == 0;
  }

  /**
   * The same, but neither user 0 nor in group 0: who is user 0 is nobody, and group 0 of others is that of
   * nobody.
   *
   * @return a copy
   */
  public Caller squashed() {
    if (uid == 0) {
      return NOBODY;
    }
    return new Caller(uid, gid == 0 ? NOBODY_ID : gid,
        groups.stream().filter(group -> group != 0).collect(Collectors.toSet()));
  }

  /**
   * The mode that the caller may give to an object: rights of another user or group than the caller's are not
   * the caller's to give (chmod of POSIX.1; Linux's rule for directories is the same).
   *
   * @param mode what is wanted
   * @param owner whose the object will be
   * @param group which group's it will be
   * @return the mode, without the bits that would give them
   */
  int grantable(int mode, int owner, int group) {
    if (privileged()) {
      return mode;
    }
    int stripped = (owner == uid ? 0 : SET_USER_ID) | (isIn(group) ? 0 : SET_GROUP_ID);
    return mode & ~stripped;
  }

  /**
   * The mode of a regular file after the caller has changed what is in it: an executable that runs with
   * rights of its owner must not run with other content (write and ftruncate of POSIX.1).
   *
   * @param mode of before
   * @return without both bits, unless the caller is privileged
   */
  int afterWriting(int mode) {
    return privileged() ? mode : mode & ~(SET_USER_ID | SET_GROUP_ID);
  }

  /**
   * Whether an object is the caller's.
   *
   * @param object its attributes
   * @return also true for who is privileged
   */
  public boolean owns(Attributes object) {
    return privileged() || uid == object.uid();
  }

  /**
   * Whether the caller is in a group.
   *
   * @param group its number
   * @return true if so
   */
  public boolean isIn(int group) {
    return gid == group || groups.contains(group);
  }

  /**
   * What the permissions allow.
   *
   * @param object its attributes
   * @param wanted of {@link #READ}, {@link #WRITE} and {@link #EXECUTE}
   * @return true if all of it is allowed
   */
  public boolean may(Attributes object, int wanted) {
    if (privileged()) {
      return (wanted & EXECUTE) == 0 || object.type() == FileType.DIRECTORY
          || (object.mode() & ANY_EXECUTE) != 0;
    }
    int shift = uid == object.uid() ? 6 : isIn(object.gid()) ? 3 : 0;
    return (object.mode() >> shift & wanted) == wanted;
  }

  /**
   * Requires permissions.
   *
   * @param object its attributes
   * @param wanted see {@link #may}
   * @throws NfsException with ACCES if not all of it is allowed
   */
  void require(Attributes object, int wanted) throws NfsException {
    if (!may(object, wanted)) {
      throw new NfsException(NfsStatus.ACCES, "user " + uid + " may not");
    }
  }

  /**
   * Requires permission for the content of an open file. RFC 1813 §4.4: the owner may always, since
   * it may have opened the file before it changed the mode; and who executes a file reads it.
   */
  void requireData(Attributes object, int wanted) throws NfsException {
    if (!owns(object) && !(wanted == READ && may(object, EXECUTE))) {
      require(object, wanted);
    }
  }

  /** Requires permission to take a name away: of a sticky directory only what one owns. */
  void requireRemoval(Attributes directory, Attributes object) throws NfsException {
    require(directory, WRITE | EXECUTE);
    if ((directory.mode() & STICKY) != 0 && !owns(directory) && !owns(object)) {
      throw new NfsException(NfsStatus.PERM, "the directory is sticky");
    }
  }
}
