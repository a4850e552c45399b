// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.testkit.TestKeys;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A key and its certificate, as the command line takes them. */
public record PemFiles(String certificate, String key) {

  public static PemFiles of(TestKeys keys, Path folder) {
    JsonObject pem = keys.pem();
    try {
      return new PemFiles(
          Files.write(folder.resolve("test.crt"), pem.getJsonArray("certValues").getBinary(0)).toString(),
          Files.write(folder.resolve("test.key"), pem.getJsonArray("keyValues").getBinary(0)).toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
