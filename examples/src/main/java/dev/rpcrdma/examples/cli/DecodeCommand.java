package dev.rpcrdma.examples.cli;

import dev.rpcrdma.examples.decode.CaptureText;
import dev.rpcrdma.verbs.capture.CaptureDecoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what is in a capture. */
@Command(
    name = "decode",
    mixinStandardHelpOptions = true,
    description = "Show every iWARP stream in a capture (pcap or pcapng), frame by frame, as far up "
        + "as the RPC heads. Streams are judged by the state machines that serve connections: "
        + "startup, framing and CRCs, segments, messages. Other streams are skipped. Fails with the "
        + "number of the frame if a stream is not well formed.")
final class DecodeCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "FILE", description = "The capture.")
  private Path file;

  @Option(names = "--quiet", description = "Print the streams and what is wrong with them, no more.")
  private boolean quiet;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<CaptureDecoder> decoders = CaptureDecoder.all();
    if (decoders.isEmpty()) {
      throw new IOException("No decoder on the class path; add vertx-rpcrdma-provider-siw");
    }
    new CaptureText(decoders.get(0), spec.commandLine().getOut(), quiet).print(file);
    return 0;
  }
}
