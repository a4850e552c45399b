// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;

/**
 * What the file system knows of an object; of a link, not of what it leads to.
 *
 * @param attributes for clients
 * @param inode tells it from every other object
 */
record Stat(Attributes attributes, Inode inode) {

  private static final String ALL = "unix:mode,nlink,uid,gid,size,rdev,dev,ino,fileKey,"
      + "creationTime,lastAccessTime,lastModifiedTime,ctime";
  private static final int PERMISSIONS = 07777;

  static Stat of(Path path) throws IOException {
    Map<String, Object> all = Files.readAttributes(path, ALL, LinkOption.NOFOLLOW_LINKS);
    int mode = (int) all.get("mode");
    FileType type = FileType.of(mode);
    long device = (long) all.get("rdev");
    return new Stat(new Attributes(type, mode & PERMISSIONS, (int) all.get("nlink"),
        (int) all.get("uid"), (int) all.get("gid"), (long) all.get("size"),
        major(device), minor(device), (long) all.get("dev"), (long) all.get("ino"),
        instant(all, "lastAccessTime"), instant(all, "lastModifiedTime"), instant(all, "ctime")),
        Inode.of(type, all.get("fileKey"), (FileTime) all.get("creationTime"),
            (FileTime) all.get("lastModifiedTime")));
  }

  private static Instant instant(Map<String, Object> all, String name) {
    return ((FileTime) all.get(name)).toInstant();
  }

  /** Linux spreads both numbers over the word. */
  private static int major(long device) {
    return (int) (device >> 8 & 0xfff | device >> 32 & 0xfffff000L);
  }

  private static int minor(long device) {
    return (int) (device & 0xff | device >> 12 & 0xffffff00L);
  }
}
