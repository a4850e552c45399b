package dev.rpcrdma.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IbverbsProviderTest {

  @Test
  void isFoundAndSaysThatItCannotBeUsed() {
    assertThat(VerbsProviders.all()).hasAtLeastOneElementOfType(IbverbsProvider.class);
    assertThatThrownBy(() -> VerbsProviders.named("ibverbs")).isInstanceOf(VerbsException.class)
        .hasMessageContaining("does not drive rdma-core yet").hasMessageContaining("'siw'");
  }

  @Test
  void probeNamesTheDevicesItFound(@TempDir Path devices) throws IOException {
    VerbsProvider provider = new IbverbsProvider(devices);
    assertThat(provider.probe().reason()).contains("no RDMA device");
    Files.createDirectory(devices.resolve("mlx5_0"));
    Files.createDirectory(devices.resolve("mlx4_1"));
    assertThat(provider.probe().reason()).contains("mlx4_1, mlx5_0");
    assertThat(provider.probe().usable()).isFalse();
  }

  @Test
  void openRefusesWithTheSameWords() {
    Vertx vertx = Vertx.vertx();
    try {
      assertThatThrownBy(() -> new IbverbsProvider().open(vertx, DeviceOptions.DEFAULT))
          .isInstanceOfSatisfying(VerbsException.class, e ->
              assertThat(e.kind()).isEqualTo(VerbsException.Kind.UNAVAILABLE))
          .hasMessageContaining("Use the provider 'siw'");
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }
}
