// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.nfs3.program.NfsBinding;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.LabRealm;
import dev.rpcrdma.testkit.lab.LabResult;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SiwVariant;
import dev.rpcrdma.testkit.lab.SmokeOn61;
import dev.rpcrdma.testkit.lab.WithLab;
import dev.rpcrdma.tools.command.NfsSecurity;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kernel of the lab's machine mounts our server by Kerberos: it makes contexts over TCP, and uses them over RDMA. The
 * ports are those of NFS, since Linux knows only of RDMA's 20049 that contexts are made on another port, 2049.
 */
@WithLab
@DisplayName("Linux mounts the NFS server by Kerberos")
@Timeout(300)
final class LinuxKerberosMountTest {

  private static final String MOUNTED = "/mnt/kerberos";
  private static final Duration LONG = Duration.ofMinutes(3);
  /** Shorter than what is done in it. */
  private static final Duration CONTEXT_TIME = Duration.ofSeconds(3);

  @TempDir
  private Path export;
  @TempDir
  private Path keys;
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private Nfs3Server serve(LabRealm realm, Set<NfsSecurity> security) {
    return Waiting.await(Nfs3Server.start(vertx, new Nfs3Options(export).at("127.0.0.1", NfsBinding.PORT, 0)
        .with(new RpcServerOptions().setProvider("siw"))
        .with(security, new KerberosOptions().setPrincipal(realm.principal("nfs/server.lab.test"))
            .setKeytab(realm.keytab("server").toString()).setContextTime(CONTEXT_TIME), Nfs3Options.CONTEXT_PORT)));
  }

  private static LabResult mount(LabVm vm, Nfs3Server server, NfsSecurity security) {
    return vm.exec(LONG, "mkdir -p " + MOUNTED + "; mount -t nfs -o rdma,vers=3,proto=rdma,port=" + server.port()
        + ",mountport=" + server.mountPort() + ",mountproto=tcp,nolock,sec=" + security + " server.lab.test:/ "
        + MOUNTED);
  }

  private static void unmount(LabVm vm) {
    vm.exec("cd /; umount " + MOUNTED + " || umount -f -l " + MOUNTED).expectSuccess();
  }

  private static LabRealm prepare(LabVm vm, Path keys) {
    vm.siw(SiwVariant.PLAIN);
    vm.nfsServer();
    return new LabRealm(vm, keys);
  }

  /** The machine itself is no user here, so it works as nobody. */
  private void letNobodyIn() throws IOException {
    Files.setPosixFilePermissions(export, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @ParameterizedTest
  @EnumSource(value = NfsSecurity.class, names = {"KRB5", "KRB5I"})
  @DisplayName("R-336: copies a tree in and out by krb5 and krb5i, while contexts end again and again")
  void tree(NfsSecurity security, LabVm vm) throws IOException {
    copy(security, vm);
  }

  @Test
  @SmokeOn61
  @DisplayName("R-336: copies a tree in and out by krb5p, while contexts end again and again")
  void privateTree(LabVm vm) throws IOException {
    copy(NfsSecurity.KRB5P, vm);
  }

  private void copy(NfsSecurity security, LabVm vm) throws IOException {
    letNobodyIn();
    try (LabRealm realm = prepare(vm, keys)) {
      Nfs3Server server = serve(realm, EnumSet.of(security));
      mount(vm, server, security).expectSuccess();
      try {
        vm.exec(LONG, """
            set -eu
            rm -rf /root/source /root/back; mkdir /root/source; cd /root/source
            for i in {1..30}; do head -c $((i * i * 997)) /dev/urandom >file-$i; done
            cp -r /root/source %1$s/
            end=$((SECONDS + 9))
            while [ $SECONDS -lt $end ]; do date >%1$s/stamp; sync %1$s/stamp; mv %1$s/stamp %1$s/last; done
            """.formatted(MOUNTED)).expectSuccess();
        String sums = vm.exec("cd /root/source; sha256sum file-* | sed 's/  /  source\\//' | LC_ALL=C sort -k 2")
            .expectSuccess().output();
        Files.delete(export.resolve("last"));
        assertThat(Trees.sums(export)).isEqualTo(sums.lines().toList()).hasSize(30);
        unmount(vm);
        mount(vm, server, security).expectSuccess();
        vm.exec(LONG, "cp -r " + MOUNTED + "/source /root/back && diff -r /root/source /root/back && rm -r " + MOUNTED
            + "/source").expectSuccess();
        assertThat(export).isEmptyDirectory();
      } finally {
        unmount(vm);
        Waiting.await(server.close());
      }
    }
  }

  @Test
  @DisplayName("Who has less protection than the server wants does not get in")
  void tooWeak(LabVm vm) throws IOException {
    letNobodyIn();
    try (LabRealm realm = prepare(vm, keys)) {
      Nfs3Server server = serve(realm, EnumSet.of(NfsSecurity.KRB5I));
      try {
        assertThat(mount(vm, server, NfsSecurity.SYS).status()).isNotZero();
        assertThat(mount(vm, server, NfsSecurity.KRB5).status()).isNotZero();
        mount(vm, server, NfsSecurity.KRB5I).expectSuccess();
        unmount(vm);
      } finally {
        Waiting.await(server.close());
      }
    }
  }
}
