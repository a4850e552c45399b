// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import static dev.rpcrdma.examples.nfs3.tree.TreeBed.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import dev.rpcrdma.examples.nfs3.tree.NewObjects.HowToCreate;
import dev.rpcrdma.examples.nfs3.tree.NewObjects.HowToCreate.Kind;
import dev.rpcrdma.testkit.lab.NeedsRoot;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that runs as root does for its callers what the kernel does for theirs: nobody gets a program that
 * runs with rights of somebody else.
 */
@NeedsRoot
class PrivilegeTest {

  private static final Caller OWNER = new Caller(1000, 1000, Set.of(2000));
  private static final Caller OTHER = new Caller(1001, 1001, Set.of());
  private static final Caller MEMBER = new Caller(1002, 1002, Set.of(1000));

  @TempDir
  private Path export;
  private TreeBed bed;
  private Node root;

  @BeforeEach
  void open() throws Exception {
    bed = new TreeBed(export);
    root = bed.tree.root();
    Files.setAttribute(export, "unix:mode", 0777);
  }

  private Node program(int mode) throws Exception {
    Path file = Files.writeString(export.resolve("program"), "content");
    Files.setAttribute(file, "unix:uid", 1000);
    Files.setAttribute(file, "unix:gid", 1000);
    Files.setAttribute(file, "unix:mode", mode);
    return bed.lookUp("program");
  }

  private int mode(Node node) throws Exception {
    return bed.tree.attributes(node).mode();
  }

  private NfsStatus set(Caller caller, Node node, NewAttributes wanted) {
    return bed.changes.set(caller, node, wanted, Optional.empty()).status();
  }

  private static NewAttributes group(int gid) {
    NewAttributes none = NewAttributes.NONE;
    return new NewAttributes(none.mode(), none.uid(), OptionalInt.of(gid), none.size(),
        none.accessed(), none.modified());
  }

  private static NewAttributes owner(int uid) {
    NewAttributes none = NewAttributes.NONE;
    return new NewAttributes(none.mode(), OptionalInt.of(uid), none.gid(), none.size(),
        none.accessed(), none.modified());
  }

  private NfsStatus write(Caller caller, Node node, int length) {
    return bed.data.write(caller, node, 0, ByteBuffer.allocate(length), Stability.UNSTABLE)
        .status();
  }

  @Test
  void writingTakesThePrivilegeBits() throws Exception {
    for (Caller caller : new Caller[] {OWNER, OTHER, MEMBER}) {
      Node program = program(06777);
      assertThat(write(caller, program, 0)).isEqualTo(NfsStatus.OK);
      assertThat(mode(program)).as("nothing was written").isEqualTo(06777);
      assertThat(write(caller, program, 1)).isEqualTo(NfsStatus.OK);
      assertThat(mode(program)).as("written by %s", caller).isEqualTo(0777);
    }
    Node program = program(06777);
    assertThat(write(ROOT, program, 1)).isEqualTo(NfsStatus.OK);
    assertThat(mode(program)).as("who is privileged may keep them").isEqualTo(06777);
    Files.setAttribute(export.resolve("program"), "unix:mode", 06755);
    assertThat(write(OTHER, program, 1)).isEqualTo(NfsStatus.ACCES);
    assertThat(mode(program)).as("nothing was written").isEqualTo(06755);
  }

  @Test
  void anotherSizeTakesThePrivilegeBits() throws Exception {
    for (Caller caller : new Caller[] {OWNER, OTHER}) {
      Node program = program(06777);
      assertThat(set(caller, program, NewAttributes.NONE.withSize(3))).isEqualTo(NfsStatus.OK);
      assertThat(mode(program)).isEqualTo(0777);
    }
    Node program = program(06777);
    assertThat(set(ROOT, program, NewAttributes.NONE.withSize(3))).isEqualTo(NfsStatus.OK);
    assertThat(mode(program)).isEqualTo(06777);
    assertThat(set(OWNER, program, NewAttributes.NONE.withSize(2).withMode(04755)))
        .isEqualTo(NfsStatus.OK);
    assertThat(mode(program)).as("what the owner has asked for").isEqualTo(04755);
  }

  @Test
  void creatingOverAFileTakesThePrivilegeBits() throws Exception {
    Node program = program(06777);
    assertThat(bed.objects.create(OTHER, root, FileName.of("program"),
        new HowToCreate(Kind.UNCHECKED, 0), NewAttributes.NONE.withSize(0)).status())
        .isEqualTo(NfsStatus.OK);
    assertThat(mode(program)).isEqualTo(0777);
  }

  @Test
  void nobodyGivesAwayRightsOfAGroupThatIsNotTheirs() throws Exception {
    Node program = program(0777);
    Files.setAttribute(export.resolve("program"), "unix:gid", 3000);
    assertThat(set(OWNER, program, NewAttributes.NONE.withMode(06755))).isEqualTo(NfsStatus.OK);
    assertThat(mode(program)).isEqualTo(04755);
    assertThat(set(OWNER, program, group(2000).withMode(06755))).isEqualTo(NfsStatus.OK);
    assertThat(mode(program)).as("of the owner's own group").isEqualTo(06755);
    assertThat(set(OWNER, program, group(1000))).isEqualTo(NfsStatus.OK);
    assertThat(mode(program)).as("the group has changed").isEqualTo(0755);
  }

  /** Fails if being in the new group is enough, or being the owner. */
  @Test
  void onlyTheOwnerGivesAFileToAnotherGroupAndOnlyToOneOfTheOwners() throws Exception {
    Node program = program(0777);
    Caller insider = new Caller(1003, 3000, Set.of(4000));
    for (int gid : new int[] {3000, 4000}) {
      assertThat(set(insider, program, group(gid))).as("not the owner").isEqualTo(NfsStatus.PERM);
      assertThat(set(OWNER, program, group(gid))).as("not in the group").isEqualTo(NfsStatus.PERM);
    }
    assertThat(set(MEMBER, program, group(1002))).as("in both groups").isEqualTo(NfsStatus.PERM);
    assertThat(bed.tree.attributes(program).gid()).isEqualTo(1000);
    assertThat(set(OWNER, program, group(2000))).isEqualTo(NfsStatus.OK);
    assertThat(bed.tree.attributes(program).gid()).isEqualTo(2000);
    assertThat(set(ROOT, program, group(3000))).isEqualTo(NfsStatus.OK);
    assertThat(bed.tree.attributes(program).gid()).isEqualTo(3000);
  }

  /** Fails if being the owner is enough. */
  @Test
  void nobodyButRootGivesAFileToAnotherOwner() throws Exception {
    Node program = program(0777);
    for (Caller caller : new Caller[] {OWNER, OTHER, MEMBER}) {
      assertThat(set(caller, program, owner(1001))).as("%s", caller).isEqualTo(NfsStatus.PERM);
    }
    assertThat(set(OWNER, program, owner(1000))).as("it stays the owner's").isEqualTo(NfsStatus.OK);
    assertThat(set(ROOT, program, owner(1001))).isEqualTo(NfsStatus.OK);
    assertThat(bed.tree.attributes(program).uid()).isEqualTo(1001);
  }

  @Test
  void whatIsMadeInASetGroupIdDirectoryIsOfItsGroupAndRunsWithNobodysRights() throws Exception {
    Path shared = Files.createDirectory(export.resolve("shared"));
    Files.setAttribute(shared, "unix:gid", 3000);
    Files.setAttribute(shared, "unix:mode", 02777);
    Node directory = bed.lookUp("shared");
    Node file = made(OWNER, directory, "file");
    assertThat(bed.tree.attributes(file).gid()).isEqualTo(3000);
    assertThat(bed.tree.attributes(file).uid()).isEqualTo(1000);
    assertThat(mode(file)).isEqualTo(04755);
    Node inner = bed.objects.makeDirectory(OWNER, directory, FileName.of("inner"),
        NewAttributes.NONE.withMode(0755)).value().orElseThrow().node();
    assertThat(bed.tree.attributes(inner).gid()).isEqualTo(3000);
    assertThat(mode(inner)).as("handed down").isEqualTo(02755);
    Caller insider = new Caller(1003, 1003, Set.of(3000));
    assertThat(mode(made(insider, directory, "theirs"))).isEqualTo(06755);
    assertThat(mode(made(ROOT, directory, "root's"))).isEqualTo(06755);
    assertThat(mode(made(OWNER, root, "own"))).isEqualTo(06755);
  }

  private Node made(Caller caller, Node directory, String name) {
    return bed.objects.create(caller, directory, FileName.of(name),
        new HowToCreate(Kind.GUARDED, 0), NewAttributes.NONE.withMode(06755)).value()
        .orElseThrow().node();
  }

  @Test
  void whoIsSquashedIsInNoGroupOfRoots() {
    Caller squashed = new Caller(1000, 0, Set.of(0, 24)).squashed();
    assertThat(squashed).isEqualTo(new Caller(1000, 65534, Set.of(24)));
    assertThat(ROOT.squashed()).isEqualTo(Caller.NOBODY);
    assertThat(new Caller(0, 24, Set.of(24)).squashed()).isEqualTo(Caller.NOBODY);
    assertThat(OWNER.squashed()).isEqualTo(OWNER);
  }
}
