// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that needs one of the lab's kernels and no other. A method's word goes before its class's. In a
 * run that is for another kernel the test is skipped, with that reason. In a run for none in
 * particular it gets the kernel that it needs; without this annotation tests get 6.1 there.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface OnKernel {

  /**
   * Which one.
   *
   * @return the kernel
   */
  LabKernel value();
}
