// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test, a class of tests or another annotation that needs programs or files of Debian's packages.
 *
 * <p>A machine that lacks one of them skips the test before any of its fields or classes is initialized. The reason
 * names the packages. A run that requires the lab ({@code RPCRDMA_LAB=required}) fails the test instead.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("tools")
@ExtendWith(ToolsCondition.class)
public @interface NeedsTools {

  /**
   * Programs that have to be on the PATH.
   *
   * @return their names
   */
  String[] programs() default {};

  /**
   * Files that have to exist, such as headers.
   *
   * @return their absolute paths
   */
  String[] files() default {};

  /**
   * Packages that contain the programs and files.
   *
   * @return names for apt-get, separated by spaces
   */
  String packages();
}
