// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Tests of the lab that each build runs on its newest kernel as well as on 6.1. All other tests can run
 * there too, and do when somebody asks for that. They are tagged {@code newer-kernel}.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("newer-kernel")
public @interface AlsoOnNewerKernel {}
