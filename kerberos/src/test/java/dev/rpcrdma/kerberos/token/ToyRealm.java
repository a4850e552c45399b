// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import dev.rpcrdma.kerberos.gss.GssContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;

/** A client, a service and a ticket, made by hand: what they would send each other to make a context, and with it. */
public final class ToyRealm {

  private static final byte[] MECHANISM =
      {6, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x12, 0x01, 0x02, 0x02};

  private final EncryptionType type;
  private final boolean acceptorsKey;
  private final byte[] serviceKey;
  private final byte[] sessionKey;
  private final byte[] subkey;
  private final byte[] serversSubkey;

  /**
   * Makes keys.
   *
   * @param type number of the encryption type of all of them
   * @param acceptorsKey whether the service says a key of its own
   */
  public ToyRealm(int type, boolean acceptorsKey) {
    this(type, acceptorsKey, 3);
  }

  /**
   * Makes the realm for another conversation of the same service.
   *
   * @param type number of the encryption type of all keys
   * @param acceptorsKey whether the service says a key of its own
   * @param seed of the keys of the conversation, which are different then
   */
  public ToyRealm(int type, boolean acceptorsKey, int seed) {
    this.type = EncryptionType.of(type).orElseThrow();
    this.acceptorsKey = acceptorsKey;
    this.serviceKey = key(1);
    this.sessionKey = key(2);
    this.subkey = key(seed);
    this.serversSubkey = key(seed + 1);
  }

  /** All encryption types. */
  public static int[] types() {
    return new int[] {17, 18, 19, 20};
  }

  private byte[] key(int seed) {
    byte[] key = new byte[type.keyLength()];
    new Random(seed).nextBytes(key);
    return key;
  }

  /** That of the service. */
  public Keytab keytab() throws KeytabException {
    ByteBuffer entry = ByteBuffer.allocate(100).putShort((short) 0x0502).putInt(0).putShort((short) 1);
    for (String text : new String[] {"R", "echo"}) {
      entry.putShort((short) text.length()).put(text.getBytes(StandardCharsets.US_ASCII));
    }
    entry.putInt(1).putInt(0).put((byte) 3).putShort((short) type.number()).putShort((short) serviceKey.length)
        .put(serviceKey);
    byte[] file = new byte[entry.position()];
    entry.putInt(2, file.length - 6).flip().get(file);
    return Keytab.parse(file);
  }

  /** The client's token. */
  public byte[] request() {
    byte[] part = der(0x63, der(0x30, field(0, der(3, new byte[5])), field(1, encryptionKey(sessionKey)),
        field(2, text("R")), field(3, name("alice")), field(9, new byte[0])));
    byte[] ticket = der(0x61, der(0x30, field(0, der(2, 5)), field(1, text("R")), field(2, name("echo")),
        field(3, encrypted(serviceKey, 2, part))));
    byte[] authenticator = der(0x62, der(0x30, field(0, der(2, 5)), field(1, text("R")), field(2, name("alice")),
        field(4, der(2, 1)), field(5, der(0x18)), field(6, encryptionKey(subkey)), field(7, der(2, 9))));
    return token(1, der(0x6E, der(0x30, field(0, der(2, 5)), field(1, der(2, 14)), field(2, der(3, new byte[5])),
        field(3, ticket), field(4, encrypted(sessionKey, 11, authenticator)))));
  }

  /** The service's token. */
  public byte[] answer() {
    byte[] more = acceptorsKey ? field(2, encryptionKey(serversSubkey)) : new byte[0];
    byte[] part = der(0x7B, der(0x30, field(0, der(0x18)), field(1, der(2, 1)), more, field(3, der(2, 9))));
    return token(2, der(0x6F, der(0x30, field(0, der(2, 5)), field(1, der(2, 15)),
        field(2, encrypted(sessionKey, 12, part)))));
  }

  private byte[] encrypted(byte[] key, int usage, byte[] der) {
    return der(0x30, field(0, der(2, type.number())), field(1, der(2, 3)),
        field(2, der(4, Encrypting.encrypt(type, key, usage, der))));
  }

  private byte[] encryptionKey(byte[] key) {
    return der(0x30, field(0, der(2, type.number())), field(1, der(4, key)));
  }

  private static byte[] token(int id, byte[] der) {
    return der(0x60, MECHANISM, new byte[] {(byte) id, 0}, der);
  }

  private static byte[] name(String name) {
    return der(0x30, field(0, der(2, 1)), field(1, der(0x30, text(name))));
  }

  private static byte[] text(String text) {
    return der(0x1B, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] field(int number, byte[] content) {
    return der(0xA0 | number, content);
  }

  private static byte[] der(int tag, int value) {
    return der(tag, new byte[] {(byte) value});
  }

  private static byte[] der(int tag, byte[]... content) {
    byte[] all = Encrypting.joined(content);
    byte[] length = all.length < 0x80 ? new byte[] {(byte) all.length}
        : new byte[] {(byte) 0x82, (byte) (all.length >> 8), (byte) all.length};
    return Encrypting.joined(new byte[] {(byte) tag}, length, all);
  }

  /** What one end signs and wraps. */
  public GssContext end(boolean acceptor) {
    return new End(acceptor);
  }

  private final class End implements GssContext {

    private final int flags;

    End(boolean acceptor) {
      this.flags = (acceptor ? 1 : 0) | (acceptorsKey ? 4 : 0);
    }

    private byte[] key() {
      return acceptorsKey ? serversSubkey : subkey;
    }

    @Override
    public byte[] sign(ByteBuffer message) {
      byte[] head = ByteBuffer.allocate(16).putShort((short) 0x0404).put((byte) flags).put((byte) -1).putInt(-1)
          .array();
      return Encrypting.joined(head, type.profile().checksum(key(), (flags & 1) == 0 ? 25 : 23, bytes(message), head));
    }

    @Override
    public byte[] wrap(ByteBuffer message) {
      byte[] head = ByteBuffer.allocate(16).putShort((short) 0x0504).put((byte) (flags | 2)).put((byte) -1).array();
      return Encrypting.joined(head, Encrypting.encrypt(type, key(), (flags & 1) == 0 ? 24 : 22,
          Encrypting.joined(bytes(message), head)));
    }

    private static byte[] bytes(ByteBuffer message) {
      byte[] bytes = new byte[message.remaining()];
      message.duplicate().get(bytes);
      return bytes;
    }

    @Override
    public boolean verifies(ByteBuffer message, byte[] proof) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<byte[]> unwrap(ByteBuffer wrapped) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int proofLength() {
      return 16 + type.proofLength();
    }

    @Override
    public int wrapOverhead() {
      return 48 + type.proofLength();
    }
  }
}
