// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Out;
import jnr.ffi.annotations.SaveError;

/**
 * What is called of librdmacm.so.1; each method is the function of its name in the C convention. Those that give an
 * {@code int} give 0, or -1 and set errno; those that give an address give 0 and set errno.
 */
public interface Rdmacm {

  @SaveError
  long rdmaGetDevices(@Out int[] count);

  void rdmaFreeDevices(long list);

  @SaveError
  long rdmaCreateEventChannel();

  void rdmaDestroyEventChannel(long channel);

  @SaveError
  int rdmaCreateId(long channel, @Out long[] id, long user, int portSpace);

  @SaveError
  int rdmaDestroyId(long id);

  @SaveError
  int rdmaMigrateId(long id, long channel);

  @SaveError
  int rdmaBindAddr(long id, @In byte[] address);

  @SaveError
  int rdmaResolveAddr(long id, @In byte[] source, @In byte[] target, int millis);

  @SaveError
  int rdmaResolveRoute(long id, int millis);

  @SaveError
  int rdmaListen(long id, int backlog);

  @SaveError
  int rdmaConnect(long id, long parameters);

  @SaveError
  int rdmaAccept(long id, long parameters);

  @SaveError
  int rdmaReject(long id, @In byte[] data, byte length);

  @SaveError
  int rdmaDisconnect(long id);

  @SaveError
  int rdmaCreateQp(long id, long domain, long attributes);

  void rdmaDestroyQp(long id);

  @SaveError
  int rdmaGetCmEvent(long channel, @Out long[] event);

  @SaveError
  int rdmaAckCmEvent(long event);

  String rdmaEventStr(int event);
}
