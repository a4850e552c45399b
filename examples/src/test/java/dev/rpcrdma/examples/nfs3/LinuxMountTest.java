// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.nfs3.tree.TreeOptions;
import dev.rpcrdma.protocol.wire.CmPrivateData;
import dev.rpcrdma.testkit.Recording;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.LabResult;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SiwVariant;
import dev.rpcrdma.testkit.lab.SmokeOn61;
import dev.rpcrdma.testkit.lab.SmokeOn612;
import dev.rpcrdma.testkit.lab.Tshark;
import dev.rpcrdma.testkit.lab.WithLab;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The kernel of the lab's machine mounts our server over its own iWARP and RPC-over-RDMA, and uses
 * it as people use file systems. What it finds and what is on the disk here must be the same.
 */
@WithLab
@DisplayName("Linux mounts the NFS server")
@Timeout(400)
final class LinuxMountTest {

  private static final String MOUNTED = "/mnt/rpcrdma";
  /** What kernels newer than those of the lab transfer in one call. */
  private static final int WANTED = 4 << 20;
  private static final Duration LONG = Duration.ofMinutes(4);
  private static final String SUMS =
      "find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum | sed 's|  \\./|  |'";
  /** All that a copy keeps, but for times of links, which Java rounds. */
  private static final String FACTS = "{ find . -type f -printf '%P|%m|%U|%G|%n|%s|%T@\\n'; "
      + "find . -type l -printf '%P|%U|%G|%l\\n'; } | LC_ALL=C sort";
  /** Not {@code wait -n}: bash forgets one of two jobs that have ended together. */
  private static final String WAIT_FOR_ALL = "for one in \"${all[@]}\"; do wait $one; done";

  @TempDir
  private Path export;

  /** A server and a machine that has mounted it. */
  private final class Mounted implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx();
    private final Nfs3Server server;
    private final LabVm vm;
    private final String options;
    private final CuttingRelay relay;

    Mounted(LabVm vm, boolean crc, String options) {
      this(vm, crc, options, TreeOptions.DEFAULT, 0);
    }

    Mounted(LabVm vm, boolean crc, String options, TreeOptions tree, int maxBytesBack) {
      this(vm, new RpcServerOptions().setProviderOptions(new JsonObject().put("crc", crc)), options,
          tree, maxBytesBack);
    }

    Mounted(LabVm vm, RpcServerOptions serverOptions, String options, TreeOptions tree,
        int maxBytesBack) {
      this.vm = vm;
      this.options = options;
      vm.siw(SiwVariant.PLAIN);
      server = Waiting.await(Nfs3Server.start(vertx, new Nfs3Options(export)
          .at("127.0.0.1", 0, 0).with(tree).with(serverOptions.setProvider("siw"))));
      relay = new CuttingRelay(vertx, server.port(), maxBytesBack);
      mount();
    }

    private void mount() {
      int port = relay.cutting() ? relay.port() : server.port();
      vm.exec("mkdir -p " + MOUNTED + "; mount -t nfs -o rdma,vers=3,proto=rdma,port=" + port
          + ",mountport=" + server.mountPort() + ",nolock" + options + " " + LabVm.HOST + ":/ "
          + MOUNTED).expectSuccess();
    }

    /** Runs commands in the mounted folder; each must succeed. */
    String run(String... commands) {
      return exec(commands).expectSuccess().output();
    }

    LabResult exec(String... commands) {
      return vm.exec(LONG, "set -eu; cd " + MOUNTED + "\n" + String.join("\n", commands));
    }

    /** What the machine remembers of files is gone after this. */
    void mountAnew() {
      vm.exec("umount " + MOUNTED).expectSuccess();
      mount();
    }

    @Override
    public void close() {
      try {
        // By force, or a mount that has lost its server would be waited for.
        vm.exec("cd /; umount " + MOUNTED + " || umount -f -l " + MOUNTED).expectSuccess();
        relay.close();
        Waiting.await(server.close());
      } finally {
        Waiting.await(vertx.close());
      }
    }
  }

  private static void script(LabVm vm, String name) {
    try (InputStream in = LinuxMountTest.class.getResourceAsStream("/nfs3/" + name)) {
      vm.exec("cat >/root/" + name + " <<'END'\n"
          + new String(in.readAllBytes(), StandardCharsets.UTF_8) + "END").expectSuccess();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @DisplayName("copies a tree of 620 files and 105 MB in")
  void treeIn(LabVm vm) {
    try (Mounted mounted = new Mounted(vm, false, "")) {
      script(vm, "make-tree.py");
      vm.exec(LONG, """
          set -eu
          rm -rf /root/tree; python3 /root/make-tree.py /root/tree; cd /root/tree
          chmod 600 "folder 1/file-1"; chmod 755 "folder 1/file-2"; chmod 4711 "folder 1/file-3"
          chown 123:456 "folder 2/file-1"; touch -d '2001-02-03 04:05:06.789' "folder 2/file-2"
          ln -s "../folder 3/file-1" "folder 2/link"; ln -s /nowhere "folder 2/dangling"
          ln "folder 4/file-1" "folder 4/deeper/other-name"
          """).expectSuccess();
      List<String> sums = vm.exec(LONG, "cd /root/tree; " + SUMS).expectSuccess().output().lines()
          .toList();
      String facts = vm.exec("cd /root/tree; " + FACTS).expectSuccess().output();

      mounted.run("cp -a /root/tree .");
      assertThat(sums).hasSize(621);
      assertThat(Trees.bytes(export)).isGreaterThan(100_000_000);
      assertThat(Trees.sums(export.resolve("tree"))).isEqualTo(sums);
      mounted.mountAnew();
      assertThat(mounted.run("cd tree; " + FACTS)).isEqualTo(facts);
      mounted.run("rm -r tree", "[ -z \"$(ls -A)\" ]");
      assertThat(export).isEmptyDirectory();
    } finally {
      vm.exec("rm -rf /root/tree");
    }
  }

  @Test
  @DisplayName("copies a tree of 600 files and 105 MB out")
  void treeOut(LabVm vm) {
    Trees.make(export.resolve("tree"), 20, 30, 175_000);
    assertThat(Trees.bytes(export)).isGreaterThan(100_000_000);
    List<String> sums = Trees.sums(export.resolve("tree"));
    assertThat(sums).hasSize(600);
    try (Mounted mounted = new Mounted(vm, false, "")) {
      mounted.run("rm -rf /root/back; cp -a tree /root/back");
      assertThat(vm.exec(LONG, "cd /root/back; " + SUMS).output().lines().toList())
          .isEqualTo(sums);
      assertThat(vm.exec("cd /root/back; " + FACTS).output())
          .isEqualTo(mounted.run("cd tree; " + FACTS));
    } finally {
      vm.exec("rm -rf /root/back");
    }
  }

  @ParameterizedTest(name = "mounted with {0}")
  @ValueSource(strings = {"", ",nordirplus"})
  @DisplayName("lists a directory of 2,000 names, and removes them while it lists")
  void manyNames(String options, LabVm vm) throws IOException {
    List<String> names = IntStream.range(0, 2000)
        .mapToObj(i -> "a name of some length, number " + i).sorted().toList();
    Path many = Files.createDirectory(export.resolve("many"));
    for (String name : names) {
      Files.createFile(many.resolve(name));
    }
    try (Mounted mounted = new Mounted(vm, true, options,
        new TreeOptions(false, false, TreeOptions.LEAST_HANDLES), 0)) {
      assertThat(mounted.run("ls -U many | LC_ALL=C sort").lines().toList()).isEqualTo(names);
      assertThat(mounted.run("ls -lU many").lines()).hasSize(2001);
      assertThat(mounted.run("ls -a many | head -n 2")).isEqualTo(".\n..\n");
      mounted.run("rm -r many");
      assertThat(many).doesNotExist();
    }
  }

  @ParameterizedTest(name = "CRC {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("makes, renames, links and removes")
  void names(boolean crc, LabVm vm) throws IOException {
    try (Mounted mounted = new Mounted(vm, crc, "")) {
      mounted.run("mkdir a a/b c", "echo one >a/one", "echo two >a/two", "mv a/one c/first",
          "mv a/two a/2", "ln c/first a/hard", "ln -s ../c/first a/soft",
          "ln -s \"$(printf 'x%.0s' {1..3900})\" long", "mv a/b c/", "mv c d",
          "[ $(stat -c %h a/hard) = 2 ]", "[ $(stat -c %i a/hard) = $(stat -c %i d/first) ]",
          "echo more >>a/hard", "mkdir -p deep/er/and/deeper", "echo x >deep/er/and/deeper/x");
      assertThat(export.resolve("d/first")).hasContent("one\nmore");
      assertThat(export.resolve("a/2")).hasContent("two");
      assertThat(Files.readSymbolicLink(export.resolve("a/soft"))).hasToString("../c/first");
      assertThat(Files.readSymbolicLink(export.resolve("long")).toString()).hasSize(3900);

      mounted.mountAnew();
      assertThat(mounted.run("readlink long | wc -c")).isEqualTo("3901\n");
      assertThat(mounted.exec("cat a/soft").status()).isNotZero();
      // Over an existing file that someone has open; and over an empty directory.
      assertThat(mounted.run("mkdir empty full", "exec 5<a/2", "mv d/first a/2", "cat <&5",
          "mv -T full empty", "cat a/2")).isEqualTo("two\none\nmore\n");
      assertThat(mounted.exec("rmdir deep").output()).contains("not empty");
      assertThat(mounted.exec("mkdir a").output()).contains("File exists");
      assertThat(mounted.exec("mv deep deep/er/").output()).contains("subdirectory of itself");
      assertThat(mounted.exec("rm nothing").output()).contains("No such file");
      assertThat(mounted.exec("set -C; echo again >a/2").output()).contains("cannot overwrite");
      mounted.run("set -C; echo new >new", "set +C", "chmod 640 new", "chown 7:8 new",
          "truncate -s 100000 new", "touch -d '2011-12-13 14:15:16' new");
      assertThat(mounted.run("stat -c '%a %u %g %s %Y' new"))
          .isEqualTo("640 7 8 100000 1323785716\n");
      assertThat(Files.size(export.resolve("new"))).isEqualTo(100_000);
      assertThat(mounted.run("truncate -s 2 new", "cat new; df . | wc -l")).isEqualTo("ne2\n");
      mounted.run("rm -r a d deep empty long new");
      assertThat(export).isEmptyDirectory();
    }
  }

  @ParameterizedTest(name = "CRC {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("reads and writes at random, several at a time")
  void randomly(boolean crc, LabVm vm) {
    try (Mounted mounted = new Mounted(vm, crc, "")) {
      String each = IntStream.rangeClosed(1, 3).mapToObj(seed -> "python3 /root/at-random.py file-"
          + seed + " " + seed + " 8000000 150 & all+=($!); ").collect(Collectors.joining());
      script(vm, "at-random.py");
      mounted.run(each, WAIT_FOR_ALL);
      assertThat(mounted.run(SUMS).lines().toList()).isEqualTo(Trees.sums(export)).hasSize(3);
      // Past the caches, in requests of the largest size.
      assertThat(mounted.run("dd if=file-1 iflag=direct bs=1M status=none | sha256sum"))
          .startsWith(Trees.sha256(export.resolve("file-1")));
      mounted.run("dd if=file-2 of=file-4 iflag=direct oflag=direct bs=1M status=none");
      assertThat(Trees.sha256(export.resolve("file-4")))
          .isEqualTo(Trees.sha256(export.resolve("file-2")));
    }
  }

  @Test
  @DisplayName("RFC 1813 §4.5: loses connections with answers on them, repeats, and nothing happens twice")
  void lostConnections(LabVm vm) {
    try (Mounted mounted = new Mounted(vm, true, "", TreeOptions.DEFAULT, 40_000)) {
      mounted.run("head -c 3000000 /dev/urandom >/root/data",
          "for i in {1..30}; do",
          "  mkdir a-$i; mv a-$i b-$i; echo $i >b-$i/file; ln b-$i/file b-$i/other",
          "  mv b-$i/file b-$i/moved; rm b-$i/other; ln -s x b-$i/link; rm b-$i/*; rmdir b-$i",
          "done",
          "cp /root/data data; cmp /root/data data");
      assertThat(mounted.relay.cuts()).isGreaterThan(1);
      assertThat(export.toFile().list()).containsExactly("data");
    }
  }

  @Test
  @DisplayName("mounts with eight connections, and asks for as much in one call as its kernel can")
  void manyConnections(@TempDir Path directory, LabVm vm) {
    Path capture = directory.resolve("mount.pcapng");
    RpcServerOptions rpc = new RpcServerOptions().setForwardCredits(128)
        .setCapture(capture.toString());
    try (Mounted mounted = new Mounted(vm, rpc,
        ",nconnect=8,rsize=" + WANTED + ",wsize=" + WANTED, TreeOptions.DEFAULT, 0)) {
      String options = vm.exec("grep ' " + MOUNTED + " ' /proc/mounts").expectSuccess().output();
      int most = Math.min(vm.kernel().largestTransfer(), WANTED);
      System.out.println("Linux " + vm.kernel().series() + ", asked for 4 MiB, mounts with "
          + options.strip());
      assertThat(options.split("[ ,]")).contains("nconnect=8", "rsize=" + most, "wsize=" + most);
      mounted.run("for i in {1..16}; do head -c 1000000 /dev/urandom >file-$i & all+=($!); done",
          WAIT_FOR_ALL, "head -c 9000000 /dev/urandom >large", "sync large");
      // Each of these fails if it is executed again: the folder is there, or is not there any more.
      mounted.run("all=()", "for job in {1..8}; do (set -e; for i in {1..50}; do mkdir $job-$i;"
          + " mv $job-$i $job-$i.moved; rmdir $job-$i.moved; done) & all+=($!); done", WAIT_FOR_ALL);
      List<String> sums = Trees.sums(export);
      assertThat(sums).hasSize(17);
      vm.exec("echo 3 >/proc/sys/vm/drop_caches").expectSuccess();
      assertThat(mounted.run(SUMS).lines().toList()).isEqualTo(sums);
    }
    List<DecodedUnit> units = Recording.of(capture);
    assertThat(units).filteredOn(unit -> unit.kind() == DecodedUnit.Kind.STARTUP
        && !unit.fromOpener()).as("connections that the server has accepted").hasSize(8);
    assertThat(units).noneMatch(unit -> unit.kind() == DecodedUnit.Kind.FAULT);
    Tshark.judge(capture);
  }

  @Test
  @SmokeOn61
  @SmokeOn612
  @DisplayName("RFC 8797 §4.1: says it copes with remote invalidation, and has it with each chunk")
  void remoteInvalidation(@TempDir Path directory, LabVm vm) {
    Path capture = directory.resolve("mount.pcapng");
    try (Mounted mounted = new Mounted(vm, new RpcServerOptions().setCapture(capture.toString()),
        "", TreeOptions.DEFAULT, 0)) {
      mounted.run("head -c 1000000 /dev/urandom >/root/data", "cp /root/data data", "sync data");
      mounted.mountAnew();
      mounted.run("cmp /root/data data");
    }
    List<DecodedUnit> units = Recording.of(capture);
    assertThat(units).filteredOn(unit -> unit.kind() == DecodedUnit.Kind.STARTUP
        && unit.fromOpener()).isNotEmpty().allMatch(unit ->
            CmPrivateData.find(unit.payload().array()).orElseThrow().remoteInvalidation());
    long replies = units.stream().filter(unit -> !unit.fromOpener()
        && unit.kind() == DecodedUnit.Kind.SEGMENT && unit.text().startsWith("Send")).count();
    long invalidating = units.stream().filter(unit -> !unit.fromOpener()
        && unit.kind() == DecodedUnit.Kind.SEGMENT && unit.text().contains("invalidates")).count();
    assertThat(invalidating).isPositive().isLessThan(replies);
    assertThat(units).noneMatch(unit -> unit.kind() == DecodedUnit.Kind.FAULT);
    Tshark.judge(capture);
  }

  @Test
  @DisplayName("is told what who may do, and gets nowhere by links")
  void limits(LabVm vm) throws IOException {
    Files.writeString(export.resolve("secret"), "for root");
    Files.createSymbolicLink(export.resolve("out"), Path.of("/lab/ready"));
    Files.createSymbolicLink(export.resolve("up"), Path.of("../../etc"));
    String nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups ";
    try (Mounted mounted = new Mounted(vm, true, "")) {
      mounted.run("chmod 600 secret", "chmod 755 .", "mkdir -m 1777 shared", "echo a >shared/mine");
      assertThat(mounted.exec(nobody + "cat secret").output()).contains("Permission denied");
      assertThat(mounted.exec(nobody + "touch new").output()).contains("Permission denied");
      assertThat(mounted.exec(nobody + "rm -f shared/mine").output())
          .contains("Operation not permitted");
      mounted.run(nobody + "touch shared/theirs");
      assertThat(mounted.run("stat -c %u shared/theirs")).isEqualTo("65534\n");
      // Links lead to places of the client, and ".." no higher than the export.
      assertThat(mounted.run("readlink out up")).isEqualTo("/lab/ready\n../../etc\n");
      assertThat(mounted.run("cmp out /lab/ready && ls -d " + MOUNTED + "/.."))
          .isEqualTo(MOUNTED + "/..\n");
    }
  }
}
