// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test that only root can run, for example one that gives files to other users.
 *
 * <p>Any other user skips the test, or fails it if the run requires the lab ({@code RPCRDMA_LAB=required}).
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("tools")
@ExtendWith(RootCondition.class)
public @interface NeedsRoot {}
