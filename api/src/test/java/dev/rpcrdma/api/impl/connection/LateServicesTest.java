// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcAccess;
import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcService;
import dev.rpcrdma.protocol.binding.ProcedureBinding;
import dev.rpcrdma.protocol.binding.ProgramTable;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.security.CallSecurity;
import dev.rpcrdma.protocol.security.Verdict;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A service that is bound while a call of its program is on its way. */
class LateServicesTest {

  private static final UpperLayerBinding BINDING = new UpperLayerBinding(0x200600a8, 1, OptionalInt.empty(),
      Map.of(1, new ProcedureBinding("GUARDED", 0, 0, ReplyBound.of(0))));
  private static final CallHeader CALL = new CallHeader(7, 0x200600a8, 1, 1, OpaqueAuth.NONE);
  private static final ByteBuffer MESSAGE = ByteBuffer.allocate(0);

  /** Takes nobody. */
  private static final RpcService GUARDED = new RpcService() {
    @Override
    public UpperLayerBinding binding() {
      return BINDING;
    }

    @Override
    public RpcAccess access(int procedure) {
      return user -> false;
    }

    @Override
    public Future<XdrEncoder> handle(RpcCall call) {
      throw new AssertionError("called");
    }
  };

  private final List<BoundService> bound = new ArrayList<>();
  private long now = 5;
  private final ServedPrograms programs = new ServedPrograms(() -> now);

  /** Fails if {@code ServedPrograms.foundSince} says nothing of the service, or if nobody is asked again. */
  @Test
  @DisplayName("A call whose head was judged before its service was bound is judged by that service's rule as well")
  void boundMeanwhile() {
    programs.follow(() -> List.copyOf(bound),
        service -> {
          programs.add(BINDING, new BoundService.Served(GUARDED, null, null, null));
          return true;
        }, service -> programs.remove(BINDING));
    AccessAuthenticator access = new AccessAuthenticator((call, message, later) -> {
      bound.add(new BoundService(BINDING, connection -> GUARDED, null));
      return CallSecurity.NONE;
    }, programs, List::of);
    assertThat(programs.foundSince(now)).isFalse();
    assertThat(access.judge(CALL, MESSAGE, verdict -> { })).isInstanceOf(CallSecurity.class);
    assertThat(programs.judge(CALL)).isInstanceOf(ProgramTable.Serve.class);
    assertThat(programs.foundSince(now)).isTrue();
    assertThat(access.judgeAgain(CALL, CallSecurity.NONE)).isEqualTo(new Verdict.Refused(AuthStatus.TOOWEAK));
    assertThat(programs.foundSince(++now)).as("calls that come later know the service").isFalse();
  }

  /** Fails if {@code ServedPrograms.add} says nothing of the service to {@code foundSince}. */
  @Test
  @DisplayName("So is a call whose program is bound to its connection alone meanwhile")
  void boundToConnection() {
    AccessAuthenticator access = new AccessAuthenticator((call, message, later) -> {
      programs.add(BINDING, new BoundService.Served(GUARDED, null, null, null));
      return CallSecurity.NONE;
    }, programs, List::of);
    assertThat(programs.foundSince(now)).isFalse();
    assertThat(access.judge(CALL, MESSAGE, verdict -> { })).isInstanceOf(CallSecurity.class);
    assertThat(programs.foundSince(now)).isTrue();
    assertThat(access.judgeAgain(CALL, CallSecurity.NONE)).isEqualTo(new Verdict.Refused(AuthStatus.TOOWEAK));
    assertThat(programs.foundSince(++now)).as("calls that come later know the service").isFalse();
  }

  /** Fails if {@code AccessAuthenticator.judge} passes a later verdict on as it is. */
  @Test
  @DisplayName("A call that is judged later is judged by its service's rule as well")
  void judgedLater() {
    programs.add(BINDING, new BoundService.Served(GUARDED, null, null, null));
    AccessAuthenticator access = new AccessAuthenticator((call, message, later) -> {
      later.judged(CallSecurity.NONE);
      return Verdict.PENDING;
    }, programs, List::of);
    List<Verdict> heard = new ArrayList<>();
    assertThat(access.judge(CALL, MESSAGE, heard::add)).isEqualTo(Verdict.PENDING);
    assertThat(heard).containsExactly(new Verdict.Refused(AuthStatus.TOOWEAK));
  }
}
