// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.kerberos.token.Keytab;
import dev.rpcrdma.tools.command.JsonSwitch;
import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.tools.decode.CaptureFollower;
import dev.rpcrdma.tools.decode.gss.SecurityContexts;
import dev.rpcrdma.verbs.capture.CaptureDecoder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
        + "number of the frame if a stream is not well formed. With a keytab also what is protected by "
        + "Kerberos (RPCSEC_GSS: krb5, krb5i, krb5p) is verified and decrypted, over iWARP and over TCP, "
        + "where contexts may be made; fails with the number of the frame whose proof or sequence number "
        + "is wrong. With --json each thing that is found is an object on a line of its own (JSON Lines), as soon "
        + "as it is found.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:nothing is wrong", "1:something is wrong or cannot be followed, or a file cannot be "
        + "read",
        "2:the command line is wrong",
        "3:nothing is wrong, but there are messages that cannot be judged, such as those that the keytab has no key "
        + "for, or whose context was made outside of the capture"})
final class DecodeCommand implements Callable<Integer> {

  private static final int NOT_ALL_JUDGED = 3;

  @Parameters(index = "0", paramLabel = "FILE", description = "The capture.")
  private Path file;

  @Option(names = "--keytab", paramLabel = "FILE",
      description = "Keys of services, as /etc/krb5.keytab has them: for AES with SHA-1 and with SHA-2.")
  private Path keytab;

  @Option(names = "--quiet", description = "Print the streams and what is wrong with them, no more.")
  private boolean quiet;

  @Mixin
  private JsonSwitch json;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<CaptureDecoder> decoders = CaptureDecoder.all();
    if (decoders.isEmpty()) {
      throw new IOException("No decoder on the class path; add vertx-rpcrdma-provider-siw");
    }
    Optional<SecurityContexts> contexts =
        keytab == null ? Optional.empty() : Optional.of(new SecurityContexts(Keytab.read(keytab)));
    follower(decoders.get(0), contexts).follow(file);
    return contexts.map(SecurityContexts::isComplete).orElse(true) ? 0 : NOT_ALL_JUDGED;
  }

  private CaptureFollower follower(CaptureDecoder decoder, Optional<SecurityContexts> contexts) {
    PrintWriter out = Printable.out(spec);
    return json.asked() ? CaptureFollower.json(decoder, found -> json.line(found), quiet, contexts)
        : CaptureFollower.text(decoder, out, quiet, contexts);
  }
}
