// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.ffi;

import jnr.ffi.annotations.Out;
import jnr.ffi.annotations.SaveError;

/**
 * What is called of libibverbs.so.1; each method is the function of its name in the C convention. Those that give an
 * {@code int} give 0 or an errno, which libsiw makes negative; those that give an address give 0 and set errno.
 */
public interface Ibverbs {

  @SaveError
  long ibvGetDeviceList(@Out int[] count);

  void ibvFreeDeviceList(long list);

  String ibvGetDeviceName(long device);

  int ibvQueryDevice(long context, long attributes);

  int ibvQueryPort(long context, byte port, long attributes);

  @SaveError
  long ibvAllocPd(long context);

  @SaveError
  int ibvDeallocPd(long domain);

  @SaveError
  long ibvRegMr(long domain, long address, long length, int access);

  @SaveError
  int ibvDeregMr(long region);

  @SaveError
  long ibvCreateCompChannel(long context);

  @SaveError
  int ibvDestroyCompChannel(long channel);

  @SaveError
  long ibvCreateCq(long context, int entries, long user, long channel, int vector);

  @SaveError
  int ibvDestroyCq(long queue);

  @SaveError
  int ibvGetCqEvent(long channel, @Out long[] queue, @Out long[] user);

  void ibvAckCqEvents(long queue, int count);

  int ibvModifyQp(long pair, long attributes, int mask);

  @SaveError
  int ibvGetAsyncEvent(long context, long event);

  void ibvAckAsyncEvent(long event);

  int ibvIsForkInitialized();
}
