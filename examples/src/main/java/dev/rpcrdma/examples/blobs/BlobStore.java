// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.service.DirectPlacement;
import dev.rpcrdma.service.Into;
import dev.rpcrdma.service.MaxReply;
import dev.rpcrdma.service.ReadOnly;
import dev.rpcrdma.service.RpcProcedure;
import dev.rpcrdma.service.RpcProgram;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** Keeps blobs by name. */
@RpcProgram(number = 0x20060001, version = 1, callback = BlobEvents.class)
public interface BlobStore {

  /**
   * Stores a blob. If the caller serves {@link BlobEvents}, it hears of it before this completes.
   *
   * @param name its name; an older blob of that name is replaced
   * @param content its bytes; pulled by the server if they are many
   * @return how many bytes were stored
   */
  @RpcProcedure(1)
  Future<Long> put(String name, @DirectPlacement Payload content);

  /**
   * Reads a whole blob.
   *
   * @param name its name
   * @param target memory of the caller, into which the server writes if the blob is large
   * @return the part of {@code target} that holds the blob
   */
  @RpcProcedure(2)
  @ReadOnly
  @DirectPlacement
  Future<Payload> get(String name, @Into Payload target);

  /**
   * Reads a part of a blob.
   *
   * @param name its name
   * @param offset first byte
   * @param length the most bytes to read
   * @return what there is
   */
  @RpcProcedure(3)
  @ReadOnly
  @DirectPlacement
  @MaxReply(parameter = "length")
  Future<Buffer> read(String name, long offset, int length);

  /**
   * Lists blobs: results of unpredictable size.
   *
   * @param prefix what their names begin with
   * @return sorted by name
   */
  @RpcProcedure(4)
  @ReadOnly
  Future<List<BlobInfo>> list(String prefix);

  /**
   * Compares a list with what is stored: arguments of any size.
   *
   * @param expected what should be there
   * @return the names of those that are missing, or differ
   */
  @RpcProcedure(5)
  @ReadOnly
  Future<List<String>> differing(List<BlobInfo> expected);

  /**
   * Reads a part of a blob by what is in it: how many extents there are, and how much data they hold, nobody knows
   * before.
   *
   * @param name its name
   * @param offset first byte
   * @param length the most bytes to read
   * @return data and holes, one after the other, from the offset on; they end earlier than asked for where there is
   *     much data, and then the rest is had by another call
   */
  @RpcProcedure(6)
  @ReadOnly
  Future<List<Extent>> readSparse(String name, long offset, long length);
}
