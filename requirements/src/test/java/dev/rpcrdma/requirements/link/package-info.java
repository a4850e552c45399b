// SPDX-License-Identifier: Apache-2.0
/** Whether the classes of this product find what they call in other releases of Vert.x than the one they were compiled for. */
package dev.rpcrdma.requirements.link;
