// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

/**
 * Writes and reads arrays of primitives as variable-length arrays (RFC 4506 §4.13), without boxes. The bytes
 * of a {@code byte[]} are an opaque instead ({@link ValueWriter#bytes}).
 */
public final class PrimitiveArrays {

  private PrimitiveArrays() {}

  /**
   * Writes an array of bool.
   *
   * @param out the writer
   * @param value the array
   * @param max the bound of its length
   * @param what its name
   */
  public static void write(ValueWriter out, boolean[] value, int max, String what) {
    Values.fits(out.present(value, what).length, max, what);
    out.int32(value.length);
    for (boolean each : value) {
      out.bool(each);
    }
  }

  /**
   * Reads an array of bool.
   *
   * @param in the reader
   * @param max the bound of its length
   * @return the array
   */
  public static boolean[] readBooleans(ValueReader in, int max) {
    boolean[] array = new boolean[in.count(max, 4)];
    for (int i = 0; i < array.length; i++) {
      array[i] = in.bool();
    }
    return array;
  }

  /**
   * Writes an array of int.
   *
   * @param out the writer
   * @param value the array
   * @param max the bound of its length
   * @param what its name
   */
  public static void write(ValueWriter out, short[] value, int max, String what) {
    Values.fits(out.present(value, what).length, max, what);
    out.int32(value.length);
    for (short each : value) {
      out.int32(each);
    }
  }

  /**
   * Reads an array of int.
   *
   * @param in the reader
   * @param max the bound of its length
   * @return the array
   * @throws dev.rpcrdma.protocol.xdr.XdrException if one of them is not in the range of a {@code short}
   */
  public static short[] readShorts(ValueReader in, int max) {
    short[] array = new short[in.count(max, 4)];
    for (int i = 0; i < array.length; i++) {
      array[i] = in.int16();
    }
    return array;
  }

  /**
   * Writes an array of unsigned int.
   *
   * @param out the writer
   * @param value the array
   * @param max the bound of its length
   * @param what its name
   */
  public static void write(ValueWriter out, char[] value, int max, String what) {
    Values.fits(out.present(value, what).length, max, what);
    out.int32(value.length);
    for (char each : value) {
      out.int32(each);
    }
  }

  /**
   * Reads an array of unsigned int.
   *
   * @param in the reader
   * @param max the bound of its length
   * @return the array
   * @throws dev.rpcrdma.protocol.xdr.XdrException if one of them is not in the range of a {@code char}
   */
  public static char[] readChars(ValueReader in, int max) {
    char[] array = new char[in.count(max, 4)];
    for (int i = 0; i < array.length; i++) {
      array[i] = in.char16();
    }
    return array;
  }

  /**
   * Writes an array of int.
   *
   * @param out the writer
   * @param value the array
   * @param max the bound of its length
   * @param what its name
   */
  public static void write(ValueWriter out, int[] value, int max, String what) {
    Values.fits(out.present(value, what).length, max, what);
    out.int32(value.length);
    for (int each : value) {
      out.int32(each);
    }
  }

  /**
   * Reads an array of int.
   *
   * @param in the reader
   * @param max the bound of its length
   * @return the array
   */
  public static int[] readInts(ValueReader in, int max) {
    int[] array = new int[in.count(max, 4)];
    for (int i = 0; i < array.length; i++) {
      array[i] = in.int32();
    }
    return array;
  }

  /**
   * Writes an array of hyper.
   *
   * @param out the writer
   * @param value the array
   * @param max the bound of its length
   * @param what its name
   */
  public static void write(ValueWriter out, long[] value, int max, String what) {
    Values.fits(out.present(value, what).length, max, what);
    out.int32(value.length);
    for (long each : value) {
      out.int64(each);
    }
  }

  /**
   * Reads an array of hyper.
   *
   * @param in the reader
   * @param max the bound of its length
   * @return the array
   */
  public static long[] readLongs(ValueReader in, int max) {
    long[] array = new long[in.count(max, 8)];
    for (int i = 0; i < array.length; i++) {
      array[i] = in.int64();
    }
    return array;
  }

  /**
   * Writes an array of float.
   *
   * @param out the writer
   * @param value the array
   * @param max the bound of its length
   * @param what its name
   */
  public static void write(ValueWriter out, float[] value, int max, String what) {
    Values.fits(out.present(value, what).length, max, what);
    out.int32(value.length);
    for (float each : value) {
      out.float32(each);
    }
  }

  /**
   * Reads an array of float.
   *
   * @param in the reader
   * @param max the bound of its length
   * @return the array
   */
  public static float[] readFloats(ValueReader in, int max) {
    float[] array = new float[in.count(max, 4)];
    for (int i = 0; i < array.length; i++) {
      array[i] = in.float32();
    }
    return array;
  }

  /**
   * Writes an array of double.
   *
   * @param out the writer
   * @param value the array
   * @param max the bound of its length
   * @param what its name
   */
  public static void write(ValueWriter out, double[] value, int max, String what) {
    Values.fits(out.present(value, what).length, max, what);
    out.int32(value.length);
    for (double each : value) {
      out.float64(each);
    }
  }

  /**
   * Reads an array of double.
   *
   * @param in the reader
   * @param max the bound of its length
   * @return the array
   */
  public static double[] readDoubles(ValueReader in, int max) {
    double[] array = new double[in.count(max, 8)];
    for (int i = 0; i < array.length; i++) {
      array[i] = in.float64();
    }
    return array;
  }
}
