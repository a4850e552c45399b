// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.BodyProtection;
import dev.rpcrdma.protocol.security.CallProtection;
import dev.rpcrdma.protocol.security.ProvenUser;
import dev.rpcrdma.protocol.security.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/**
 * A mechanism that is nothing but the seam: a client has a ticket of its server, which comes late and is of no use once
 * the server has forgotten it; each transmission has a number, which is let in once; heads and replies have a checksum
 * with a secret, bodies too, or not. Verdicts come at once, or late.
 */
final class ToySecurity implements WorldSecurity {

  private static final int FLAVOR = 0x7070;
  private static final int CHECKSUM = Integer.BYTES;
  private static final int LARGE = 1000;
  private static final int SLOW = 20;
  private static final Verdict UNKNOWN = new Verdict.Refused(AuthStatus.REJECTEDCRED);

  private final World world;
  private final boolean protectsBodies;
  private final List<Runnable> work = new ArrayList<>();
  private int tickets;

  ToySecurity(World world) {
    this.world = world;
    this.protectsBodies = world.random.nextBoolean();
  }

  private static int checksum(int ticket, int number, ByteBuffer bytes) {
    CRC32 crc = new CRC32();
    crc.update(ByteBuffer.allocate(12).putInt(ticket * 31).putInt(number).putInt(0x5ec2e7).flip());
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }

  private static OpaqueAuth proof(int ticket, int number, ByteBuffer bytes) {
    return new OpaqueAuth(FLAVOR,
        ByteBuffer.allocate(CHECKSUM).putInt(checksum(ticket, number, bytes)).array());
  }

  /** Proof of a reply, over its number alone, as that of RPCSEC_GSS. */
  private static OpaqueAuth proof(int ticket, int number) {
    return proof(ticket, number, ByteBuffer.allocate(0));
  }

  private static OpaqueAuth credential(int ticket, int number) {
    return new OpaqueAuth(FLAVOR, ByteBuffer.allocate(2 * Integer.BYTES).putInt(ticket).putInt(number).array());
  }

  @Override
  public List<Runnable> work() {
    return work;
  }

  @Override
  public Contexts client(String user, WorldClient of) {
    return new Client(user, of);
  }

  @Override
  public Authenticator server() {
    return new Server();
  }

  @Override
  public void checkUser(IncomingCall call, String user) {
    assertThat(call.security()).isInstanceOfSatisfying(ProvenUser.class,
        proven -> assertThat(proven.name()).isEqualTo(user));
  }

  private Optional<BodyProtection> bodies(int ticket, int number, Consumer<Runnable> opens) {
    return protectsBodies ? Optional.of(new Bodies(ticket, number, opens)) : Optional.empty();
  }

  /** Contexts of a client, which has at most one ticket. */
  private final class Client implements Contexts {

    private final String user;
    private final WorldClient of;
    private final List<Listener> waiting = new ArrayList<>();
    /** Zero if there is none. */
    private int ticket;
    private int numbers;
    private boolean asking;

    Client(String user, WorldClient of) {
      this.user = user;
      this.of = of;
    }

    @Override
    public void protection(SecureChannel channel, Listener listener) {
      if (ticket == 0) {
        waiting.add(listener);
        ask();
      } else {
        listener.ready(new Transmission(this, ticket, ++numbers));
      }
    }

    @Override
    public void resume() {
      if (!waiting.isEmpty()) {
        ask();
      }
    }

    private void ask() {
      if (!asking) {
        asking = true;
        work.add(this::asked);
      }
    }

    private void asked() {
      asking = false;
      WorldLink link = of.link;
      if (link == null || link.fabric.client.lost()) {
        // The next connection goes on.
        return;
      }
      ticket = ((Server) link.server.authenticator).letIn(user);
      List<Listener> all = List.copyOf(waiting);
      waiting.clear();
      all.forEach(listener -> protection(link.fabric.client, listener));
    }

    @Override
    public Optional<String> forget(Listener listener) {
      return waiting.remove(listener) ? Optional.of("no ticket") : Optional.empty();
    }
  }

  /** Protection of one transmission. */
  private final class Transmission implements CallProtection {

    private final Client client;
    private final int ticket;
    private final int number;

    Transmission(Client client, int ticket, int number) {
      this.client = client;
      this.ticket = ticket;
      this.number = number;
    }

    @Override
    public int lengthInCall() {
      return credential(ticket, number).encodedLength() + verifierLength();
    }

    @Override
    public void writeInCall(ByteBuffer target, int start) {
      credential(ticket, number).write(target);
      proof(ticket, number, target.duplicate().flip().position(start)).write(target);
    }

    @Override
    public boolean verifies(OpaqueAuth verifier) {
      return verifier.equals(proof(ticket, number));
    }

    @Override
    public Optional<BodyProtection> bodies() {
      return ToySecurity.this.bodies(ticket, number, Runnable::run);
    }

    @Override
    public int verifierLength() {
      return proof(ticket, number).encodedLength();
    }

    @Override
    public boolean outdated(AuthStatus status) {
      if (status != AuthStatus.REJECTEDCRED) {
        return false;
      }
      if (client.ticket == ticket) {
        client.ticket = 0;
      }
      return true;
    }

    @Override
    public void ended() {
      // Numbers have no window.
    }
  }

  /** Authenticator of a server, which forgets its tickets once. */
  private final class Server implements Authenticator {

    private final Map<Integer, String> users = new HashMap<>();
    private final Set<OpaqueAuth> seen = new HashSet<>();
    private int left = world.random.nextInt(60);

    int letIn(String user) {
      users.put(++tickets, user);
      return tickets;
    }

    @Override
    public Verdict judge(CallHeader call, ByteBuffer message, Listener later) {
      if (left-- == 0) {
        users.clear();
      }
      Verdict verdict = verdict(call, message);
      if (world.random.nextBoolean()) {
        return verdict;
      }
      work.add(() -> unlessDead(() -> later.judged(verdict)));
      return Verdict.PENDING;
    }

    /** Runs a task, unless the server has died. */
    private void unlessDead(Runnable task) {
      if (world.servers.stream().anyMatch(server -> server.authenticator == this)) {
        task.run();
      }
    }

    private Verdict verdict(CallHeader call, ByteBuffer message) {
      OpaqueAuth credential = call.credential();
      if (credential.flavor() != FLAVOR || credential.body().length != 2 * Integer.BYTES) {
        return UNKNOWN;
      }
      ByteBuffer body = ByteBuffer.wrap(credential.body());
      int ticket = body.getInt();
      int number = body.getInt();
      ByteBuffer head = message.duplicate().position(0)
          .limit(CallHeader.FIXED_LENGTH + credential.encodedLength());
      if (!users.containsKey(ticket) || !call.verifier().equals(proof(ticket, number, head))) {
        return UNKNOWN;
      }
      if (!seen.add(credential)) {
        assertThat(world.plan.onPath()).as("messages of a thousand that somebody repeats").isPositive();
        return Verdict.DROPPED;
      }
      return new LetIn(this, users.get(ticket), ticket, number);
    }
  }

  /** A call that is let in. */
  private final class LetIn implements ProvenUser {

    private final Server server;
    private final String name;
    private final int ticket;
    private final int number;

    LetIn(Server server, String name, int ticket, int number) {
      this.server = server;
      this.name = name;
      this.ticket = ticket;
      this.number = number;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Protection protection() {
      return protectsBodies ? Protection.INTEGRITY : Protection.AUTHENTICATION;
    }

    @Override
    public Object principal(CallHeader call) {
      return name;
    }

    @Override
    public int verifierLength() {
      return verifier().encodedLength();
    }

    @Override
    public OpaqueAuth verifier() {
      return proof(ticket, number);
    }

    @Override
    public Optional<BodyProtection> bodies() {
      return ToySecurity.this.bodies(ticket, number, server::unlessDead);
    }
  }

  /** In front of a body stands its checksum. */
  private final class Bodies implements BodyProtection {

    private final int ticket;
    private final int number;
    private final Consumer<Runnable> opens;

    Bodies(int ticket, int number, Consumer<Runnable> opens) {
      this.ticket = ticket;
      this.number = number;
      this.opens = opens;
    }

    @Override
    public long protectedLength(long length) {
      return CHECKSUM + length;
    }

    @Override
    public void protect(ByteBuffer body, Consumer<Optional<byte[]>> then) {
      run(body.remaining(), () -> then.accept(Optional.of(ByteBuffer.allocate(CHECKSUM + body.remaining())
          .putInt(checksum(ticket, number, body)).put(body.duplicate()).array())));
    }

    @Override
    public void open(ByteBuffer body, Consumer<Optional<ByteBuffer>> then) {
      ByteBuffer kept = ByteBuffer.allocate(body.remaining()).put(body.duplicate()).flip();
      boolean good = kept.remaining() >= CHECKSUM && kept.getInt() == checksum(ticket, number, kept);
      run(body.remaining(), () -> opens.accept(() -> then.accept(good ? Optional.of(kept) : Optional.empty())));
    }

    /** Runs a task at once for a small body; for a large one it may take longer than a connection lives. */
    private void run(int length, Runnable task) {
      if (length < LARGE || world.random.nextInt(SLOW) == 0) {
        task.run();
      } else {
        work.add(() -> run(length, task));
      }
    }
  }
}
