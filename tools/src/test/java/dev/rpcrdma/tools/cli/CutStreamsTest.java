// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams whose sender ends them, by a FIN, within a message: a length was changed, or the sender was killed. */
@DisplayName("rpcrdma decode: streams that end within a message")
final class CutStreamsTest {

  private static final Path RECORDED = Path.of("src", "test", "resources", "gss");
  private static final int FIN = 0x11;
  private static final int SYN = 0x02;
  private static final int SYN_ACK = 0x12;
  private static final int ACK = 0x10;

  @TempDir
  Path directory;
  private final Commands commands = new Commands();
  private final List<byte[]> frames = new ArrayList<>();

  private void frame(boolean up, int sequence, int flags, byte... payload) {
    ByteBuffer out = ByteBuffer.allocate(40 + payload.length);
    out.putInt(0x45000000 | out.capacity()).putInt(0x4000).put((byte) 64).put((byte) 6).putShort((short) 0);
    out.putInt(up ? 0x0A000001 : 0x0A000002).putInt(up ? 0x0A000002 : 0x0A000001);
    out.putShort((short) (up ? 1000 : 2049)).putShort((short) (up ? 2049 : 1000));
    out.putInt(sequence).putInt(0).put((byte) 0x50).put((byte) flags).putShort((short) -1).putInt(0).put(payload);
    frames.add(out.array());
  }

  private int decode(String... options) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN).putInt(0xA1B2C3D4).putShort((short) 2)
        .putShort((short) 4).putLong(0).putInt(1 << 18).putInt(101).array());
    for (byte[] each : frames) {
      file.writeBytes(ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(0).putInt(each.length)
          .putInt(each.length).array());
      file.writeBytes(each);
    }
    List<String> arguments = new ArrayList<>(List.of("decode"));
    arguments.addAll(List.of(options));
    arguments.add(Files.write(directory.resolve("cut.pcap"), file.toByteArray()).toString());
    return commands.run(arguments.toArray(String[]::new));
  }

  private String said() {
    return commands.out() + commands.err();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Fails if {@code CaptureFollower.finished} asks no reader of records whether it is within one. */
  @Test
  @DisplayName("RPC over TCP whose answers end within a record, since its mark was changed, is not all right")
  void record() throws IOException {
    byte[] call = ByteBuffer.allocate(44).putInt(0x80000000 | 40).putInt(1).putInt(0).putInt(2).array();
    // The mark says 256 bytes more than there are: this reply, and all behind it, are part of a record without an end.
    byte[] reply = ByteBuffer.allocate(28).putInt(0x80000000 | 24 | 256).putInt(1).putInt(1).array();
    frame(true, 100, SYN);
    frame(false, 500, SYN_ACK);
    frame(true, 101, ACK, call);
    frame(false, 501, ACK, reply);
    frame(true, 145, ACK, call);
    frame(false, 529, ACK, reply);
    frame(true, 189, FIN);
    frame(false, 557, FIN);
    assertThat(decode("--keytab", RECORDED.resolve("ours.keytab").toString())).as(said()).isNotZero();
  }

  /** Fails if {@code CaptureFollower.finished} does not ask whether the answers begin within a reply. */
  @Test
  @DisplayName("Answers from before the capture that end within what may be the rest of a reply are not judged")
  void restOfReply() throws IOException {
    frame(true, 101, ACK, ByteBuffer.allocate(44).putInt(0x80000000 | 40).putInt(1).putInt(0).putInt(2).array());
    // Looks like a record of 256 bytes, and is too short for a msg_type.
    frame(false, 501, ACK, ByteBuffer.allocate(8).putInt(256).array());
    frame(true, 145, FIN);
    frame(false, 509, FIN);
    assertThat(decode("--keytab", RECORDED.resolve("ours.keytab").toString())).as(said()).isEqualTo(3);
    assertThat(said()).contains("within a reply");
  }

  /** Fails if {@code IwarpStream.finished} does nothing. */
  @Test
  @DisplayName("iWARP whose stream ends within an FPDU is not well formed")
  void fpdu() throws IOException {
    frame(true, 100, SYN);
    frame(false, 500, SYN_ACK);
    frame(true, 101, ACK, text("MPA ID Req Frame\0\1\0\0"));
    frame(false, 501, ACK, text("MPA ID Rep Frame\0\1\0\0"));
    // A Send of 100 bytes, of which 10 come in front of the FIN.
    frame(true, 121, ACK, ByteBuffer.allocate(30).putShort((short) 118).put((byte) 0x41).put((byte) 0x43).array());
    frame(true, 151, FIN);
    frame(false, 521, FIN);
    assertThat(decode()).as(said()).isEqualTo(1);
  }

  /** Fails for the same reason: the making of the context is within a record that never ends. */
  @Test
  @DisplayName("A changed record mark of the reply that makes a context is wrong, not a context from elsewhere")
  void markOfInit() throws IOException {
    Path changed = new FrameChanger(RECORDED.resolve("nfs3-krb5i.pcap")).flip(36, 1)
        .write(directory.resolve("mark.pcap"));
    assertThat(commands.run("decode", "--quiet", "--keytab", RECORDED.resolve("nfs-6.1.keytab").toString(),
        changed.toString())).as(said()).isEqualTo(1);
  }
}
