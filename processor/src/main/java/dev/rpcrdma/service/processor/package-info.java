// SPDX-License-Identifier: Apache-2.0
/**
 * The annotation processor. {@code ProgramReader} and {@code TypeReader} turn an interface into a
 * {@code Program} or into compile-time errors; the writers turn a {@code Program} into source.
 *
 * <p>{@code TypeReader} leaves to {@code ContainerReader} what holds other types, and to {@code NamedTypeReader}
 * the types of the application. Those of them that have methods of their own in the generated codecs are
 * {@code CodedTypes}.
 */
package dev.rpcrdma.service.processor;
