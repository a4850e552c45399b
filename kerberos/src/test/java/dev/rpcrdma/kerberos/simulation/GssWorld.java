// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.kerberos.gss.ForgetfulAuthenticator;
import dev.rpcrdma.kerberos.gss.GssClient;
import dev.rpcrdma.kerberos.gss.GssExchange;
import dev.rpcrdma.kerberos.gss.GssServer;
import dev.rpcrdma.kerberos.gss.GssServerSettings;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.kerberos.gss.GssUser;
import dev.rpcrdma.kerberos.gss.ToyMechanism;
import dev.rpcrdma.kerberos.gss.WatchedAuthenticator;
import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.security.Authenticator;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.session.World;
import dev.rpcrdma.protocol.session.WorldClient;
import dev.rpcrdma.protocol.session.WorldLink;
import dev.rpcrdma.protocol.session.WorldSecurity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** RPCSEC_GSS of a {@link World}: each client is a user, each server has contexts, some of which it forgets. */
public final class GssWorld implements WorldSecurity {

  /** More than there are clients. */
  private static final int MOST = 4;
  /** More than such clients have, each of which may hold many while its calls take long. */
  private static final int MOST_CONTEXTS = 256;

  private final World world;
  private final ToyMechanism mechanism;
  private final GssService service;
  private final GssServerSettings bounds;
  private final List<Runnable> work = new ArrayList<>();
  /** Credentials of calls that servers have let in: no two are the same. */
  private final Set<ByteBuffer> seen = new HashSet<>();
  private int handles;

  /** Draws a service, a window, and how many tokens a context takes. */
  public GssWorld(World world) {
    this.world = world;
    mechanism = new ToyMechanism(1 + world.random.nextInt(2), Optional.empty());
    // With CHANNEL nobody on the path can change anything.
    service = GssService.values()[world.random.nextInt(world.plan.onPath() > 0 ? 3 : 4)];
    int window = world.random.nextBoolean() ? 1 + world.random.nextInt(4) : 64;
    bounds = new GssServerSettings(MOST_CONTEXTS, MOST, window, World.SECOND);
  }

  @Override
  public List<Runnable> work() {
    return work;
  }

  @Override
  public Contexts client(String user, WorldClient of) {
    GssClient contexts = new GssClient(service, mechanism.initiator(user), new Exchange(of), work::add, work::add,
        () -> world.now);
    return new Contexts() {
      @Override
      public void resume() {
        contexts.resume();
      }

      @Override
      public void protection(SecureChannel channel, Listener listener) {
        contexts.protection(channel, listener);
      }

      @Override
      public Optional<String> forget(Listener listener) {
        return contexts.forget(listener);
      }
    };
  }

  @Override
  public Authenticator server() {
    // Once, in the middle, all contexts are gone.
    Authenticator first = contexts();
    Authenticator second = contexts();
    int when = world.random.nextInt(60);
    return new WatchedAuthenticator(new ForgetfulAuthenticator(first, second, when), this::check);
  }

  private Authenticator contexts() {
    return new GssServer(bounds, mechanism.acceptor(),
        () -> ByteBuffer.allocate(Integer.BYTES).putInt(++handles).array(), work::add, () -> world.now,
        Authenticator.PLAIN);
  }

  private void check(CallHeader call, Verdict verdict) {
    if (verdict instanceof GssUser) {
      // With it are handle and number.
      assertThat(seen.add(ByteBuffer.wrap(call.credential().body()))).as("a number is let in once").isTrue();
    }
    assertThat(verdict == Verdict.DROPPED && world.plan.onPath() == 0).as("a call is dropped by a window").isFalse();
  }

  @Override
  public void checkUser(IncomingCall call, String user) {
    assertThat(call.header().credential().flavor()).isEqualTo(AuthFlavor.GSS);
    assertThat(((GssUser) call.security()).name()).isEqualTo(user);
  }

  /** Over the connection that is up, as long as there is one. */
  private record Exchange(WorldClient client) implements GssExchange {

    @Override
    public void after(long nanos, Runnable task) {
      client.after(nanos, task);
    }

    @Override
    public void create(OpaqueAuth credential, byte[] token, Listener listener) {
      WorldLink link = client.link;
      if (link == null || link.fabric.client.lost()) {
        listener.unreachable();
        return;
      }
      new SimulatedExchange(link.fabric, link.fabric.client).create(credential, token, listener);
    }

    @Override
    public void bind(SecureChannel channel, Credential credential, BindListener listener) {
      WorldLink link = client.link;
      if (link == null || link.fabric.client != channel || link.fabric.client.lost()) {
        listener.lost();
      } else {
        new SimulatedExchange(link.fabric, link.fabric.client).bind(channel, credential, listener);
      }
    }

    @Override
    public void destroy(Credential credential) {
      throw new AssertionError("Nobody closes it");
    }
  }
}
