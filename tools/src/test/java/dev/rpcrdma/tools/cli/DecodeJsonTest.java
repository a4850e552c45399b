// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./rpcrdma decode --json}, line by line, beside what people are shown of the same captures. */
@DisplayName("rpcrdma decode --json")
final class DecodeJsonTest {

  private static final Path CAPTURES = Path.of("..", "provider-siw", "src", "test", "resources", "captures");
  private static final Path KERBEROS = Path.of("src", "test", "resources", "gss");
  /** Of rping-crc.pcap: a byte within the payload of the first Read Response. */
  private static final int PAYLOAD_BYTE = 2000;

  @TempDir
  private Path directory;
  private final Commands commands = new Commands();

  private int decode(Path file, String... options) {
    return commands.run(Stream.concat(Stream.of("decode", "--json", file.toString()), Stream.of(options))
        .toArray(String[]::new));
  }

  private List<JsonObject> events() {
    return commands.out().lines().map(JsonObject::new).toList();
  }

  private Stream<JsonObject> events(String name) {
    return events().stream().filter(event -> event.getString("event").equals(name));
  }

  private JsonObject last() {
    List<JsonObject> all = events();
    return all.get(all.size() - 1);
  }

  /** Fails if {@code RpcJson} leaves out a chunk, a head, or the fields of either. */
  @Test
  @DisplayName("Each line is an object: streams, startup, segments, messages with their chunks and heads, and sums")
  void nfs() {
    assertThat(decode(CAPTURES.resolve("nfs41.pcap"))).as(commands.err()).isZero();
    assertThat(commands.err()).isEmpty();
    List<JsonObject> all = events();
    assertThat(all.get(0).getMap()).containsOnlyKeys("event", "stream", "opener", "acceptor", "protocol")
        .containsEntry("event", "stream").containsEntry("protocol", "iWARP");
    assertThat(events("startup").findFirst().orElseThrow().getString("text")).startsWith("MPA Request, revision 2");
    assertThat(last()).isEqualTo(new JsonObject().put("event", "summary").put("protocol", "iWARP").put("streams", 1)
        .put("skipped", 0).put("segments", 322).put("messages", 98));
    assertThat(events("segment")).hasSize(322);
    assertThat(events("message")).hasSize(98);
    JsonObject call = events("message").findFirst().orElseThrow();
    assertThat(call.getBoolean("fromOpener")).isTrue();
    assertThat(call.getJsonObject("rdma").getString("xid")).isEqualTo("0x70a7ef22");
    assertThat(call.getJsonObject("rdma").getString("type")).isEqualTo("call");
    assertThat(call.getJsonObject("rpc")).isEqualTo(new JsonObject().put("type", "call").put("xid", "0x70a7ef22")
        .put("program", 100003).put("version", 4).put("procedure", 0).put("flavor", 0));
    assertThat(events("message").skip(1).findFirst().orElseThrow().getJsonObject("rpc")).isEqualTo(
        new JsonObject().put("type", "reply").put("xid", "0x70a7ef22").put("status", "SUCCESS"));
    assertThat(events("message").map(message -> message.getJsonObject("rdma").getJsonArray("replyChunk")))
        .contains(new JsonArray().add(new JsonObject().put("handle", "0xa9f33e01").put("length", 100)
            .put("offset", offsetOfReplyChunk())));
    assertThat(events("message").filter(message ->
        !message.getJsonObject("rdma").getJsonArray("readChunks", new JsonArray()).isEmpty())).isNotEmpty();
    assertThat(events("message").filter(message ->
        !message.getJsonObject("rdma").getJsonArray("writeChunks", new JsonArray()).isEmpty())).isNotEmpty();
  }

  private static String offsetOfReplyChunk() {
    Commands people = new Commands();
    people.run("decode", CAPTURES.resolve("nfs41.pcap").toString());
    return people.out().lines().filter(line -> line.contains("Reply chunk: 100 bytes of 0xa9f33e01 at ")).findFirst()
        .orElseThrow().replaceAll(".* at ", "");
  }

  /** Fails if {@code CaptureJson.fault} is left out by --quiet, or words get among the JSON. */
  @Test
  @DisplayName("What is wrong is an object too, also with --quiet; the failure is on stderr, and the status is 1")
  void fault() throws IOException {
    byte[] bytes = Files.readAllBytes(CAPTURES.resolve("rping-crc.pcap"));
    bytes[PAYLOAD_BYTE] ^= 1;
    assertThat(decode(Files.write(directory.resolve("flipped.pcap"), bytes), "--quiet")).isEqualTo(1);
    assertThat(events().stream().map(event -> event.getString("event"))).containsExactly("stream", "fault", "summary");
    JsonObject fault = events("fault").findFirst().orElseThrow();
    assertThat(fault.getString("text")).startsWith("An FPDU whose CRC does not match");
    assertThat(commands.err()).matches("(?s)rpcrdma: .*stream 1, frame " + fault.getInteger("frame") + ": .*\n")
        .hasLineCount(1);
  }

  /** Fails if what was read is kept until all was read. */
  @Test
  @DisplayName("What stands before the end of a file that is cut is printed")
  void streams() throws IOException {
    byte[] bytes = Files.readAllBytes(CAPTURES.resolve("rping.pcap"));
    assertThat(decode(Files.write(directory.resolve("cut"), Arrays.copyOf(bytes, 5000)))).isEqualTo(1);
    assertThat(commands.err()).contains("truncated").hasLineCount(1);
    assertThat(events("segment")).isNotEmpty();
    assertThat(events("summary")).isEmpty();
  }

  /** Fails if {@code CaptureJson} leaves out RPC over TCP, what is put together of chunks, or what keys show. */
  @Test
  @DisplayName("With a keytab also records of TCP, messages that were put together, and what is said of their protection")
  void kerberos() {
    assertThat(decode(KERBEROS.resolve("nfs3-krb5i.pcap"), "--keytab", KERBEROS.resolve("nfs-6.1.keytab").toString()))
        .as(commands.err()).isZero();
    assertThat(events("stream").map(stream -> stream.getString("protocol"))).contains("iWARP", "RPC over TCP");
    assertThat(events("record").map(each -> each.getJsonObject("rpc").getString("type"))).contains("call", "reply");
    assertThat(events("assembled").map(each -> each.getJsonObject("rpc").getString("xid"))).contains("0x3cd693fd");
    assertThat(events("remark").map(each -> each.getString("text"))).anyMatch(text ->
        text.contains("number 18: head and number good, body good, 100044 bytes"));
    assertThat(last().getInteger("rpcOverTcp")).isOne();
    assertThat(last().getString("text")).contains("25 calls (25 krb5i)");
  }

  @Test
  @DisplayName("A file that is not there leaves stdout empty")
  void missing() {
    assertThat(decode(directory.resolve("missing"))).isEqualTo(1);
    assertThat(commands.out()).isEmpty();
    assertThat(commands.err()).contains("No such file").hasLineCount(1);
  }
}
