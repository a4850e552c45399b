// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Wireshark's command line, as a judge of what has crossed the wire that is none of ours.
 *
 * <p>Where it is not on the PATH, captures are not judged and that is printed. Where the lab is
 * required it has to be there.
 */
public final class Tshark {

  private static final String PROGRAM = "tshark";
  private static final long LIMIT_SECONDS = 60;

  /** A port of ours, which is any, may be one that some other protocol is known by. */
  private static final List<String> CONTENT_FIRST = List.of("-o", "tcp.try_heuristic_first:TRUE");

  /**
   * It does not put what came by RDMA Writes back into a reply. Since it knows NFS, it finds such a
   * reply of NFS too short, calls it malformed, and may lose its place in what follows. Of what came by RDMA Reads
   * it misses segments now and then where a TCP segment ends within an FPDU, though it has found their CRCs good,
   * and then finds the call too short.
   */
  private static final String NOT_TOO_SHORT = "_ws.malformed"
      + " && !(rpcordma.writes_count > 0 && rpc.msgtyp == 1) && !(rpcordma.fragment.count > 1 && rpc.msgtyp == 0)";
  private static final String[] WITHOUT_NFS = {"--disable-protocol", "nfs"};

  private Tshark() {}

  /**
   * Whether captures can be judged. If not, the reason is printed.
   *
   * @return true if so
   * @throws AssertionError if not, and the lab is required
   */
  public static boolean isThere() {
    return isThere(System.getenv("PATH"), LabExtension.required(), System.err);
  }

  static boolean isThere(String path, boolean required, PrintStream out) {
    if (Stream.of(path.split(File.pathSeparator))
        .anyMatch(each -> Files.isExecutable(Path.of(each, PROGRAM)))) {
      return true;
    }
    String reason = PROGRAM + " is not on the PATH, so captures are not judged";
    if (required) {
      throw new AssertionError("The lab is required, but " + reason);
    }
    out.println(reason);
    return false;
  }

  /**
   * Expects a capture to hold iWARP, nothing malformed from TCP up to RPC, no wrong CRC, and nothing
   * malformed of NFS but replies with Write chunks and calls with Read chunks. Without tshark, prints
   * that it was not judged.
   *
   * @param capture the file, complete
   * @param options for tshark, such as {@code --disable-protocol}
   */
  public static void judge(Path capture, String... options) {
    if (!isThere()) {
      return;
    }
    assertThat(count(capture, "iwarp_mpa.req")).as("connections").isPositive();
    String[] transport = with(options, WITHOUT_NFS);
    assertThat(fields(capture, "_ws.malformed || _ws.unreassembled", "_ws.malformed", transport))
        .isEmpty();
    assertThat(run(with(transport, "-r", capture.toString(), "-O", "iwarp_mpa")).lines()
        .filter(line -> line.contains("Bad CRC"))).isEmpty();
    assertThat(fields(capture, NOT_TOO_SHORT, "_ws.malformed", options).lines()
        .filter(line -> line.contains("NFS"))).isEmpty();
  }

  /**
   * How many frames match.
   *
   * @param capture the file, complete
   * @param filter a display filter
   * @return their number
   */
  public static long count(Path capture, String filter) {
    return fields(capture, filter, "frame.number").lines().count();
  }

  private static String fields(Path capture, String filter, String field, String... options) {
    return run(with(options, "-r", capture.toString(), "-Y", filter, "-T", "fields", "-e",
        "frame.number", "-e", field));
  }

  private static String[] with(String[] options, String... more) {
    return Stream.concat(Stream.of(options), Stream.of(more)).toArray(String[]::new);
  }

  /**
   * Runs it.
   *
   * @param arguments the command line
   * @return what it has printed
   */
  public static String run(String... arguments) {
    List<String> command = new ArrayList<>(List.of(PROGRAM));
    command.addAll(CONTENT_FIRST);
    command.addAll(List.of(arguments));
    try {
      Path output = Files.createTempFile(PROGRAM, ".out");
      try {
        Process process = new ProcessBuilder(command).redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as("%s ends", command).isTrue();
        assertThat(process.exitValue()).as("%s", command).isZero();
        return Files.readString(output, StandardCharsets.UTF_8);
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    }
  }
}
