// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes an interface one version of an ONC RPC program (RFC 5531). The interface is public and not
 * generic; each of its abstract methods carries {@link RpcProcedure}.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RpcProgram {

  /**
   * The program's number, unsigned. 0x20000000 to 0x3fffffff are free for use within a site
   * (RFC 5531 §8.3).
   *
   * @return the number
   */
  int number();

  /**
   * The program's version, unsigned. A change of the interface that changes the wire form takes a
   * new one.
   *
   * @return the version
   */
  int version();

  /**
   * The interface that the server may call back over the client's connection.
   *
   * @return another interface with this annotation; {@code void.class} for none
   */
  Class<?> callback() default void.class;

  /**
   * How failures of the application cross.
   *
   * @return by default as part of the results
   */
  Failures failures() default Failures.UNION;

  /**
   * The port where servers of this program are found.
   *
   * @return 1 to 65535; 0 if it has none of its own
   */
  int port() default 0;
}
