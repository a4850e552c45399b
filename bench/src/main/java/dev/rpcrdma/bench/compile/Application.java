// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.compile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The source of an application: interfaces of ten procedures, each of which takes a record of its own and gives a list
 * of another one. Records have text, numbers, times, a map, an enumeration, and a record that others have too.
 */
public final class Application {

  private static final int PROCEDURES_OF_INTERFACE = 10;

  private static final String SIDE = """
      package shop;

      public enum Side {
        BUY,
        SELL
      }
      """;

  private static final String MONEY = """
      package shop;

      public record Money(String currency, long units, int nanos) {}
      """;

  private static final String REQUEST = """
      package shop;

      import java.time.Instant;
      import java.util.Map;
      import java.util.Optional;
      import java.util.UUID;

      public record Request%1$d(UUID id, String name, Side side, Money limit, Instant until, Map<String, Long> parts,
          Optional<String> note, byte[] key) {}
      """;

  private static final String RESULT = """
      package shop;

      import java.time.Instant;
      import java.util.List;

      public record Result%1$d(long number, Money price, Instant at, List<String> lines, boolean last, double weight) {}
      """;

  private Application() {}

  /**
   * Writes it.
   *
   * @param folder where to; it exists
   * @param procedures how many
   * @return the files
   * @throws IOException if one cannot be written
   */
  public static List<Path> write(Path folder, int procedures) throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(Files.writeString(folder.resolve("Side.java"), SIDE));
    files.add(Files.writeString(folder.resolve("Money.java"), MONEY));
    for (int i = 1; i <= procedures; i++) {
      files.add(Files.writeString(folder.resolve("Request" + i + ".java"), REQUEST.formatted(i)));
      files.add(Files.writeString(folder.resolve("Result" + i + ".java"), RESULT.formatted(i)));
    }
    for (int first = 1; first <= procedures; first += PROCEDURES_OF_INTERFACE) {
      int last = Math.min(procedures, first + PROCEDURES_OF_INTERFACE - 1);
      files.add(Files.writeString(folder.resolve("Shop" + first + ".java"), service(first, last)));
    }
    return files;
  }

  private static String service(int first, int last) {
    StringBuilder text = new StringBuilder("""
        package shop;

        import dev.rpcrdma.service.RpcProcedure;
        import dev.rpcrdma.service.RpcProgram;
        import io.vertx.core.Future;
        import java.util.List;

        @RpcProgram(number = 0x%x, version = 1)
        public interface Shop%d {
        """.formatted(0x20001000 + first, first));
    for (int i = first; i <= last; i++) {
      text.append("  @RpcProcedure(%d) Future<List<Result%d>> ask%d(Request%d request);%n"
          .formatted(i - first + 1, i, i, i));
    }
    return text.append("}\n").toString();
  }
}
