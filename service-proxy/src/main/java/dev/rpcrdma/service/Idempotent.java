package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that executing a procedure twice is as good as once, as it is with one that only looks. After the
 * loss of a connection such a call is sent again even to a server that does not remember it, and servers
 * need not remember it.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Idempotent {}
