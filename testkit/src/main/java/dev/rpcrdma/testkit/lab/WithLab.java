// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit.lab;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A class whose tests need the lab. They are tagged {@code lab}, may take two minutes each, and get
 * a {@link LabVm} as a parameter. See the package for where they run, and with which kernel.
 *
 * <p>If the machine crashes, which its emulator may do, the test is run once more on a new one. So
 * what a test opens it should open, and close, in its own method.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("lab")
@Timeout(120)
@ExtendWith(LabExtension.class)
public @interface WithLab {}
