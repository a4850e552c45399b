// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.Credential;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.SecureChannel;
import dev.rpcrdma.protocol.security.CallProtection;
import dev.rpcrdma.protocol.security.CallProtector;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small worlds, explored to the end: a client and the windows of a server (RFC 2203 §5.3.3.1), two connections that
 * each keep their order, calls that are answered in any order or never, and a connection that is lost. In each state no
 * call has been dropped by a window, and none waits for the reply to another one.
 */
class SequenceNumbersModelTest {

  private static final int CONNECTIONS = 2;
  private static final int CALLS = 5;

  /** A call from its beginning to its end. */
  private static final class Call implements CallProtector.Listener {

    private final World world;
    private final int connection;
    private CallProtection protection;
    private String name = "";

    Call(World world, int connection) {
      this.world = world;
      this.connection = connection;
    }

    @Override
    public void ready(CallProtection given) {
      protection = given;
      ByteBuffer target = ByteBuffer.allocate(given.lengthInCall());
      given.writeInCall(target, 0);
      GssCredential credential = GssCredential.from(OpaqueAuth.decode(new XdrReader(target.flip())));
      name = credential.handle()[0] + "." + credential.sequence();
      world.waiting--;
      world.onTheWay.get(connection).add(this);
    }

    @Override
    public void unavailable(String reason) {
      throw new AssertionError(reason);
    }

    int handle() {
      return Integer.parseInt(name.substring(0, name.indexOf('.')));
    }

    int sequence() {
      return Integer.parseInt(name.substring(name.indexOf('.') + 1));
    }
  }

  private record Creation(byte[] token, GssExchange.Listener listener) {}

  /** One world, as a number of choices has made it. */
  private static final class World implements GssExchange {

    private final int window;
    private final GssClient client = new GssClient(GssService.INTEGRITY,
        new ToyMechanism(1, Optional.empty()).initiator("alice"), this, Runnable::run, Runnable::run, () -> 0);
    private final ArrayDeque<Creation> creations = new ArrayDeque<>();
    private final Map<Integer, SequenceWindow> windows = new HashMap<>();
    private final List<ArrayDeque<Call>> onTheWay = new ArrayList<>();
    private final List<Call> arrived = new ArrayList<>();
    private final Set<String> ended = new TreeSet<>();
    private int begun;
    private int waiting;
    private boolean lost;
    private String dropped;

    World(int window) {
      this.window = window;
      for (int i = 0; i < CONNECTIONS; i++) {
        onTheWay.add(new ArrayDeque<>());
      }
    }

    @Override
    public void after(long nanos, Runnable task) {
      throw new AssertionError("Each context that is begun comes to stand");
    }

    @Override
    public void create(OpaqueAuth credential, byte[] token, Listener listener) {
      creations.add(new Creation(token, listener));
    }

    @Override
    public void bind(SecureChannel channel, Credential credential, BindListener listener) {
      throw new AssertionError("Integrity needs no channel");
    }

    @Override
    public void destroy(Credential credential) {
      throw new AssertionError("Nobody closes it");
    }

    /** Performs the choice of that number; false if there is none. */
    boolean choose(int choice) {
      int left = choice;
      if (begun < CALLS) {
        if (left < CONNECTIONS) {
          begun++;
          waiting++;
          client.protection(SecureChannel.NONE, new Call(this, left));
          return true;
        }
        left -= CONNECTIONS;
      }
      for (ArrayDeque<Call> queue : onTheWay) {
        if (!queue.isEmpty() && left-- == 0) {
          arrive(queue.poll());
          return true;
        }
      }
      if (left < arrived.size() && left >= 0) {
        end(arrived.remove(left));
        return true;
      }
      left -= arrived.size();
      if (!creations.isEmpty() && left-- == 0) {
        stand(creations.poll());
        return true;
      }
      if (!lost && left == 0) {
        lose();
        return true;
      }
      return false;
    }

    private void arrive(Call call) {
      if (windows.get(call.handle()).take(call.sequence())) {
        arrived.add(call);
      } else {
        dropped = call.name;
      }
    }

    private void end(Call call) {
      ended.add(call.name);
      call.protection.ended();
    }

    private void stand(Creation creation) {
      byte handle = (byte) (windows.size() + 1);
      windows.put((int) handle, new SequenceWindow(window));
      ToyContext context = new ToyContext(new String(creation.token, StandardCharsets.UTF_8));
      creation.listener.answered(new GssInitResult(new byte[] {handle, 0, 0, 0}, GssInitResult.COMPLETE, 0, window,
          "done".getBytes(StandardCharsets.UTF_8)), new OpaqueAuth(AuthFlavor.GSS,
          context.sign(ByteBuffer.allocate(4).putInt(window).flip())));
    }

    /** The first connection is lost: what was on its way never arrives, and nobody waits for replies over it. */
    private void lose() {
      lost = true;
      List<Call> gone = new ArrayList<>(onTheWay.get(0));
      onTheWay.get(0).clear();
      arrived.stream().filter(call -> call.connection == 0).forEach(gone::add);
      arrived.removeAll(gone);
      gone.forEach(this::end);
    }

    String state() {
      StringBuilder text = new StringBuilder();
      onTheWay.forEach(queue -> {
        queue.forEach(call -> text.append(call.name).append(','));
        text.append('|');
      });
      arrived.stream().map(call -> call.name + '@' + call.connection).sorted()
          .forEach(name -> text.append(name).append(','));
      return text.append(ended).append(windows.size()).append('/').append(waiting).append('/').append(begun)
          .append('/').append(creations.size()).append(lost).toString();
    }
  }

  private static World replay(int window, byte[] path) {
    World world = new World(window);
    for (byte choice : path) {
      world.choose(choice);
    }
    return world;
  }

  /** Fails if {@code SequenceNumbers.take} bounds how many are without a reply, or {@code proceed} waits for one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  @DisplayName("RFC 2203 §5.3.3.1: no order of events has a call dropped, or waiting for the reply to another one")
  void everyOrder(int window) {
    Set<String> known = new HashSet<>();
    ArrayDeque<byte[]> open = new ArrayDeque<>(List.of(new byte[0]));
    while (!open.isEmpty()) {
      byte[] path = open.poll();
      for (byte choice = 0; ; choice++) {
        World world = replay(window, path);
        if (!world.choose(choice)) {
          break;
        }
        byte[] next = Arrays.copyOf(path, path.length + 1);
        next[path.length] = choice;
        assertThat(world.dropped).as("dropped after %s", Arrays.toString(next)).isNull();
        assertThat(world.waiting == 0 || !world.creations.isEmpty()).as("waits for others after %s",
            Arrays.toString(next)).isTrue();
        if (known.add(world.state())) {
          open.add(next);
        }
      }
    }
    assertThat(known).hasSizeGreaterThan(1000);
  }
}
