/**
 * The annotation processor. {@code ProgramReader} and {@code TypeReader} turn an interface into a
 * {@code Program} or into compile-time errors; the writers turn a {@code Program} into source.
 */
package dev.rpcrdma.service.processor;
