// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;
import dev.rpcrdma.examples.nfs3.model.FileName;
import dev.rpcrdma.examples.nfs3.model.NewAttributes;
import dev.rpcrdma.examples.nfs3.model.NewTime;
import dev.rpcrdma.examples.nfs3.model.NfsStatus;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many users of a file whose mode denies its owner, who runs the server. A program of its own, so that
 * another user can run it.
 */
final class PutAside {

  private static final int TIMES = 400;

  private PutAside() {}

  /** Runs in a folder of one's own; says "kept" if nobody ever saw another mode. */
  public static void main(String[] arguments) throws Exception {
    System.out.println(run(Path.of(arguments[0])));
  }

  static String run(Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");
    Files.setAttribute(file, "unix:mode", 0);
    FileTree tree = FileTree.of(folder, new TreeOptions(false, true, TreeOptions.LEAST_HANDLES));
    int uid = (int) Files.getAttribute(file, "unix:uid");
    Caller owner = new Caller(uid, uid, Set.of());
    Node node = tree.lookUp(new Caller(0, 0, Set.of()), tree.root(), FileName.of("file")).node();
    FileData data = new FileData(tree);
    AttributeChanges changes = new AttributeChanges(tree);
    NewAttributes times = new NewAttributes(NewAttributes.NONE.mode(), NewAttributes.NONE.uid(),
        NewAttributes.NONE.gid(), NewAttributes.NONE.size(), NewTime.KEEP,
        new NewTime(NewTime.Kind.CLIENT, Optional.of(Instant.EPOCH)));
    List<Callable<NfsStatus>> all = List.of(
        () -> data.write(owner, node, 0, ByteBuffer.allocate(1), Stability.UNSTABLE).status(),
        () -> {
          data.read(owner, node, 0, ByteBuffer.allocate(1));
          return NfsStatus.OK;
        },
        () -> changes.set(owner, node, times, Optional.empty()).status(),
        () -> data.commit(owner, node).status(),
        () -> {
          Attributes seen = tree.attributes(node);
          return seen.mode() == 0 ? NfsStatus.OK : NfsStatus.ACCES;
        });
    ExecutorService threads = Executors.newFixedThreadPool(all.size());
    try {
      List<Future<NfsStatus>> outcomes = new ArrayList<>();
      for (int i = 0; i < TIMES; i++) {
        all.forEach(each -> outcomes.add(threads.submit(each)));
      }
      int other = 0;
      for (Future<NfsStatus> outcome : outcomes) {
        other += outcome.get() == NfsStatus.OK ? 0 : 1;
      }
      int mode = tree.attributes(node).mode();
      return other == 0 && mode == 0 ? "kept" : other + " of " + outcomes.size()
          + " failed or saw another mode; at the end it is " + Integer.toOctalString(mode);
    } finally {
      threads.shutdownNow();
    }
  }
}
