// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.fixture.Nfs3;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.LabKernel;
import dev.rpcrdma.testkit.lab.LabRealm;
import dev.rpcrdma.testkit.lab.LabVm;
import dev.rpcrdma.testkit.lab.SiwVariant;
import dev.rpcrdma.testkit.lab.WithLab;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of our client to the NFS server of a Linux kernel, by tickets of MIT's key distribution center. */
@WithLab
@DisplayName("Linux's NFS server, by Kerberos")
final class LinuxKerberosTest {

  private static final int PORT = 20049;
  private static final int LENGTH = 100_000;

  @TempDir
  private Path folder;

  @ParameterizedTest
  @EnumSource(names = "CHANNEL", mode = EnumSource.Mode.EXCLUDE)
  @DisplayName("R-331 R-332 R-333: takes and gives data that is signed or encrypted, short and long")
  void data(RpcProtection protection, LabVm vm) {
    byte[] bytes = new byte[LENGTH];
    new Random(5).nextBytes(bytes);
    String name = "by-kerberos-" + protection;
    withServer(vm, protection, channel -> {
      if (protection == RpcProtection.PRIVACY && vm.kernel() == LabKernel.LINUX_6_1) {
        // Nor by TCP, and from no client: this kernel's server has it only in its list.
        assertThat(Waiting.awaitFailure(channel.call(own(Nfs3.create(name)))))
            .hasMessageContaining("cannot decode the arguments");
        return;
      }
      byte[] file = call(channel, Nfs3.create(name));
      // There is room for a token of any length in the reply to the one that was sent.
      ConnectionSnapshot before = snapshot(channel);
      assertThat(call(channel, Nfs3.write(file, bytes))).isEqualTo(LENGTH);
      assertThat(call(channel, Nfs3.read(file, LENGTH))).isEqualTo(bytes);
      ConnectionSnapshot snapshot = snapshot(channel);
      boolean placed = protection == RpcProtection.AUTHENTICATION;
      assertThat(snapshot.messages().readChunks()).isEqualTo(placed ? 1 : 0);
      assertThat(snapshot.messages().writeChunks()).isEqualTo(placed ? 1 : 0);
      assertThat(snapshot.messages().positionZeroChunks() - before.messages().positionZeroChunks())
          .isEqualTo(placed ? 0 : 1);
      assertThat(snapshot.messages().replyChunks() - before.messages().replyChunks()).isEqualTo(placed ? 0 : 1);
      assertThat(snapshot.memory().exposures()).isZero();
      assertThat(vm.exec("stat -c '%s %u' /export/" + name).output()).as("size, and whose it is")
          .isEqualTo(LENGTH + " 2000\n");
    });
  }

  /** With the credentials of the client, and not those of AUTH_SYS. */
  private static <T> RpcRequest<T> own(RpcRequest<T> request) {
    return request.withOptions(CallOptions.DEFAULT);
  }

  private static ConnectionSnapshot snapshot(RpcChannel channel) {
    return Waiting.await(channel.connect().compose(RpcConnection::snapshot));
  }

  private static <T> T call(RpcChannel channel, RpcRequest<T> request) {
    return Waiting.await(channel.call(own(request)));
  }

  private void withServer(LabVm vm, RpcProtection protection, Consumer<RpcChannel> calls) {
    vm.siw(SiwVariant.PLAIN);
    vm.nfsServer();
    try (LabRealm realm = new LabRealm(vm, folder)) {
      Vertx vertx = Vertx.vertx();
      try {
        RpcClient client = RpcClient.create(vertx, new RpcClientOptions().setProvider("siw").setKerberos(
            new KerberosOptions().setPrincipal(realm.principal("alice")).setKeytab(realm.keytab("alice").toString())
                .setPeer(realm.principal("nfs/nfs.lab.test")).setProtection(protection)));
        calls.accept(client.channel(SocketAddress.inetSocketAddress(vm.forward(PORT), "127.0.0.1")));
        Waiting.await(client.close());
      } finally {
        Waiting.await(vertx.close());
      }
    }
  }
}
