// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import dev.rpcrdma.service.RpcProcedure;
import io.vertx.core.Future;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;
import java.util.List;

/** Records that are compiled before the interfaces that use them. */
public final class ClassFileRecords {

  /** An annotation of types alone, as that of Vert.x. */
  @Target(ElementType.TYPE_USE)
  public @interface Nullable {}

  private ClassFileRecords() {}

  /** One whose annotations are of types. */
  public record Remarked(int number, @Nullable String remark, List<@Nullable String> lines) {}

  /** One whose annotation belongs on components. */
  public record Noted(int number, @Both.Nullable String remark) {}

  /** One without. */
  public record Plain(int number, String remark) {}

  /** One that cannot cross. */
  public record Threaded(int number, Thread thread) {}

  /** Methods that cannot be procedures. */
  public interface Unfit {

    /** One whose parameter cannot cross. */
    @RpcProcedure(1) Future<Void> unfit(int number, Thread thread);

    /** One whose number is taken. */
    @RpcProcedure(0) Future<Void> zero();
  }

  /** Methods that programs inherit. */
  public interface Base {

    /** One whose annotations are of types. */
    @RpcProcedure(1) Future<Void> remarked(int number, List<@Nullable String> lines);

    /** One whose annotation belongs on parameters. */
    @RpcProcedure(2) Future<Void> noted(@Both.Nullable String line);
  }

  /** Holds an annotation of that simple name, of components. */
  public static final class Both {

    private Both() {}

    /** Of components, and of what comes of them. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER,
        ElementType.TYPE_USE})
    public @interface Nullable {}
  }
}
