// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.datagram.DatagramPacket;
import io.vertx.core.datagram.DatagramSocket;
import io.vertx.core.dns.DnsClientOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A name server on the loopback that answers what a test has told it, over UDP (RFC 1035, RFC 2782). */
public final class TinyDns {

  private static final String HOST = "127.0.0.1";
  private static final int A = 1;
  private static final int CNAME = 5;
  private static final int AAAA = 28;
  private static final int SRV = 33;
  private static final int MOST_ALIASES = 4;
  private static final int NO_SUCH_NAME = 3;
  private static final int SERVER_FAILURE = 2;

  private record Question(String name, int type) {}

  private record Record(int ttl, Buffer data) {}

  private final DatagramSocket socket;
  private final Map<Question, List<Record>> records = new ConcurrentHashMap<>();
  private final Map<String, String> aliases = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean failing;

  /**
   * A name server that knows nothing yet.
   *
   * @param vertx that it lives in, and ends with
   */
  public TinyDns(Vertx vertx) {
    socket = vertx.createDatagramSocket();
    socket.handler(this::answer);
    Waiting.await(socket.listen(0, HOST));
  }

  /**
   * For a client that asks this one.
   *
   * @return options with its host and port
   */
  public DnsClientOptions options() {
    return new DnsClientOptions().setHost(HOST).setPort(socket.localAddress().port()).setQueryTimeout(2_000);
  }

  /**
   * How many questions there were.
   *
   * @return so far
   */
  public int asked() {
    return asked.get();
  }

  /**
   * Has all questions answered by a failure, or not any more.
   *
   * @param fail whether they are
   */
  public void failing(boolean fail) {
    failing = fail;
  }

  /** Forgets all records. */
  public void clear() {
    records.clear();
    aliases.clear();
  }

  /**
   * Adds an A record.
   *
   * @param name of the record
   * @param ttl its time to live, in seconds
   * @param bytes the address
   * @return this
   */
  public TinyDns a(String name, int ttl, int... bytes) {
    return add(new Question(name, A), ttl, bytes(bytes));
  }

  /**
   * Adds an AAAA record.
   *
   * @param name of the record
   * @param ttl its time to live, in seconds
   * @param bytes the address
   * @return this
   */
  public TinyDns aaaa(String name, int ttl, int... bytes) {
    return add(new Question(name, AAAA), ttl, bytes(bytes));
  }

  /**
   * Adds an SRV record.
   *
   * @param name of the record
   * @param ttl its time to live, in seconds
   * @param priority the lowest counts
   * @param port where the server listens
   * @param target the name of its host
   * @return this
   */
  public TinyDns srv(String name, int ttl, int priority, int port, String target) {
    Buffer data = Buffer.buffer().appendUnsignedShort(priority).appendUnsignedShort(0).appendUnsignedShort(port);
    return add(new Question(name, SRV), ttl, name(data, target));
  }

  /**
   * Adds a CNAME record. Other questions for the name are answered by it and by the records of the target, as a name
   * server does that asks others.
   *
   * @param name of the record
   * @param ttl its time to live, in seconds
   * @param target the name that it stands for
   * @return this
   */
  public TinyDns cname(String name, int ttl, String target) {
    aliases.put(name, target);
    return add(new Question(name, CNAME), ttl, name(Buffer.buffer(), target));
  }

  private TinyDns add(Question question, int ttl, Buffer data) {
    records.computeIfAbsent(question, first -> new ArrayList<>()).add(new Record(ttl, data));
    return this;
  }

  private static Buffer bytes(int... values) {
    Buffer bytes = Buffer.buffer();
    for (int value : values) {
      bytes.appendUnsignedByte((short) value);
    }
    return bytes;
  }

  private static Buffer name(Buffer to, String name) {
    for (String label : name.isEmpty() ? new String[0] : name.split("\\.")) {
      to.appendUnsignedByte((short) label.length()).appendString(label);
    }
    return to.appendByte((byte) 0);
  }

  private void answer(DatagramPacket packet) {
    asked.incrementAndGet();
    Buffer query = packet.data();
    StringBuilder name = new StringBuilder();
    int at = 12;
    while (query.getByte(at) != 0) {
      int length = query.getUnsignedByte(at);
      name.append(name.isEmpty() ? "" : ".").append(query.getString(at + 1, at + 1 + length));
      at += 1 + length;
    }
    int end = at + 5;
    Question question = new Question(name.toString(), query.getUnsignedShort(at + 1));
    boolean known = records.keySet().stream().anyMatch(each -> each.name().equals(question.name()));
    int code = failing ? SERVER_FAILURE : known ? 0 : NO_SUCH_NAME;
    Buffer found = Buffer.buffer();
    int count = failing ? 0 : append(found, question, MOST_ALIASES);
    socket.send(Buffer.buffer().appendBuffer(query.getBuffer(0, 2)).appendUnsignedShort(0x8180 | code)
        .appendUnsignedShort(1).appendUnsignedShort(count).appendInt(0).appendBuffer(query.getBuffer(12, end))
        .appendBuffer(found), packet.sender().port(), packet.sender().host());
  }

  /** Appends what answers a question, over so many names at most, and tells how many records that is. */
  private int append(Buffer to, Question question, int most) {
    List<Record> found = records.getOrDefault(question, List.of());
    for (Record record : found) {
      name(to, question.name()).appendUnsignedShort(question.type()).appendUnsignedShort(1).appendInt(record.ttl())
          .appendUnsignedShort(record.data().length()).appendBuffer(record.data());
    }
    String target = question.type() == CNAME ? null : aliases.get(question.name());
    return found.size() + (target == null || most == 0 ? 0 : append(to, new Question(question.name(), CNAME), 0)
        + append(to, new Question(target, question.type()), most - 1));
  }
}
