// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs;

import dev.rpcrdma.testkit.lab.NeedsTools;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a test that compiles C with gcc and rdma-core's own headers. */
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@NeedsTools(programs = "gcc", files = {"/usr/include/infiniband/verbs.h", "/usr/include/rdma/rdma_cma.h"},
    packages = "gcc libc6-dev libibverbs-dev librdmacm-dev")
public @interface NeedsRdmaHeaders {}
