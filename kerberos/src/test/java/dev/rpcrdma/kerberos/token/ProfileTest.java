// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The encryption types of AES, by the vectors of their RFCs. */
@DisplayName("Encryption types")
final class ProfileTest {

  private static final String BASE_19 = "3705d96080c17728a0e800eab6e0d23c";
  private static final String BASE_20 = "6d404d37faf79f9df0d33568d320669800eb4836472ea8a026d16b7182460c52";
  private static final int USAGE = 2;

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static KerberosKey key(int type, String bytes) throws KerberosException {
    return new KerberosKey(EncryptionType.of(type).orElseThrow(), hex(bytes));
  }

  /** Fails if {@code Sha1Profile.derive} encrypts the constant once, or does not fold it. */
  @ParameterizedTest
  @CsvSource({
      "cdedb5281bb2f801565a1122b2563515, 42263c6e89f4fc28b8df68ee09799f15",
      "01dbee7f4a9e243e988b62c73cda935d, c651bf29e2300ac27fa469d693bdda13",
      "5c08eb61fdf71e4e4ec3cf6ba1f5512b, 4c01cd46d632d01e6dbe230a01ed642a",
      "d1daa78615f287e6a1c8b120d7062a49, e9b23d52273747dd5c35cb55be619d8e",
      "cdedb5281bb2f801565a1122b25635150ad1f7a04bb9f3a333ecc0e2e1f70837, "
          + "fe697b52bc0d3ce14432ba036a92e65bbb52280990a2fa27883998d72af30161"})
  @DisplayName("DK: keys of RFC 3962, appendix B, from their pass phrases' PBKDF2")
  void derivedFromConstant(String base, String derived) {
    byte[] bytes = hex(base);
    assertThat(new Sha1Profile(bytes.length).derive(bytes, "kerberos".getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(hex(derived));
  }

  /** Fails if a purpose has another octet, or if {@code Sha2Profile.derive} leaves out the length of the key. */
  @ParameterizedTest
  @CsvSource({
      "17, 42263c6e89f4fc28b8df68ee09799f15, CHECKSUM, 34280a382bc92769b2da2f9ef066854b",
      "17, 42263c6e89f4fc28b8df68ee09799f15, ENCRYPTION, 5b14fc4e250e14ddf9dccf1af6674f53",
      "17, 42263c6e89f4fc28b8df68ee09799f15, INTEGRITY, 4ed31063621684f09ae8d89991af3e8f",
      "18, fe697b52bc0d3ce14432ba036a92e65bbb52280990a2fa27883998d72af30161, CHECKSUM, "
          + "bfab388bdcb238e9f9c98d6a878304f04d30c82556375ac507a7a852790f4674",
      "18, fe697b52bc0d3ce14432ba036a92e65bbb52280990a2fa27883998d72af30161, ENCRYPTION, "
          + "c7cfd9cd75fe793a586a542d87e0d1396f1134a104bb1a9190b8c90ada3ddf37",
      "18, fe697b52bc0d3ce14432ba036a92e65bbb52280990a2fa27883998d72af30161, INTEGRITY, "
          + "97151b4c76945063e2eb0529dc067d97d7bba90776d8126d91f34f3101aea8ba",
      "19, " + BASE_19 + ", CHECKSUM, b31a018a48f54776f403e9a396325dc3",
      "19, " + BASE_19 + ", ENCRYPTION, 9b197dd1e8c5609d6e67c3e37c62c72e",
      "19, " + BASE_19 + ", INTEGRITY, 9fda0e56ab2d85e1569a688696c26a6c",
      "20, " + BASE_20 + ", CHECKSUM, ef5718be86cc84963d8bbb5031e9f5c4ba41f28faf69e73d",
      "20, " + BASE_20 + ", ENCRYPTION, 56ab22bee63d82d7bc5227f6773f8ea7a5eb1c825160c38312980c442e5c7e49",
      "20, " + BASE_20 + ", INTEGRITY, 69b16514e3cd8e56b82010d5c73012b622c4d00ffc23ed1f"})
  @DisplayName("Keys for usage 2 (RFC 3961 §5.3; RFC 8009, appendix A)")
  void derived(int type, String base, Purpose purpose, String derived) {
    assertThat(EncryptionType.of(type).orElseThrow().profile().derive(hex(base), USAGE, purpose))
        .isEqualTo(hex(derived));
  }

  /** Fails if {@code Aes.decrypt} does not exchange the last two blocks. */
  @ParameterizedTest
  @CsvSource({
      "17, c6353568f2bf8cb4d8a580362da7ff7f97",
      "31, fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5",
      "32, 39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584",
      "47, 97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5",
      "48, 97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd839312523a78662d5be7fcbcc98ebf5a8",
      "64, 97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a8"
          + "4807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8"})
  @DisplayName("CTS: the vectors of RFC 3962, appendix B")
  void cipherTextStealing(int length, String encrypted) {
    String text = "I would like the General Gau's Chicken, please, and wonton soup.";
    assertThat(Aes.decrypt("chicken teriyaki".getBytes(StandardCharsets.US_ASCII), hex(encrypted)))
        .isEqualTo(text.substring(0, length).getBytes(StandardCharsets.US_ASCII));
  }

  /** Fails if {@code Sha2Profile.decrypt} hashes the plain text, or leaves out the IV. */
  @ParameterizedTest
  @CsvSource({
      "19, 0, ef85fb890bb8472f4dab20394dca781dad877eda39d50c870c0d5a0a8e48c718",
      "19, 6, 84d7f30754ed987bab0bf3506beb09cfb55402cef7e6877ce99e247e52d16ed4421dfdf8976c",
      "19, 16, 3517d640f50ddc8ad3628722b3569d2ae07493fa8263254080ea65c1008e8fc295fb4852e7d83e1e7c48c37eebe6b0d3",
      "19, 21, 720f73b18d9859cd6ccb4346115cd336c70f58edc0c4437c5573544c31c813bce1e6d072c186b39a413c2f92ca9b8334"
          + "a287ffcbfc",
      "20, 0, 41f53fa5bfe7026d91faf9be959195a058707273a96a40f0a01960621ac612748b9bbfbe7eb4ce3c",
      "20, 6, 4ed7b37c2bcac8f74f23c1cf07e62bc7b75fb3f637b9f559c7f664f69eab7b6092237526ea0d1f61cb20d69d10f2",
      "20, 16, bc47ffec7998eb91e8115cf8d19dac4bbbe2e163e87dd37f49beca92027764f68cf51f14d798c2273f35df574d1f932e"
          + "40c4ff255b36a266",
      "20, 21, 40013e2df58e8751957d2878bcd2d6fe101ccfd556cb1eae79db3c3ee86429f2b2a602ac86fef6ecb647d6295fae077a"
          + "1feb517508d2c16b4192e01f62"})
  @DisplayName("Texts of RFC 8009, appendix A, opened, and refused if a byte of them is another one")
  void sha2(int type, int length, String encrypted) throws KerberosException {
    byte[] plain = new byte[length];
    for (int i = 0; i < length; i++) {
      plain[i] = (byte) i;
    }
    KerberosKey key = key(type, type == 19 ? BASE_19 : BASE_20);
    byte[] text = hex(encrypted);
    assertThat(key.decrypt(USAGE, text)).isEqualTo(plain);
    refused(key, text);
  }

  /** Fails if {@code KerberosKey.decrypt} does not look at the length first, or a profile not at all of its proof. */
  private static void refused(KerberosKey key, byte[] text) {
    for (int i = 0; i < text.length; i++) {
      byte[] changed = text.clone();
      changed[i] ^= 1;
      assertThatThrownBy(() -> key.decrypt(USAGE, changed)).isInstanceOf(KerberosException.class);
      byte[] cut = Arrays.copyOf(text, i);
      assertThatThrownBy(() -> key.decrypt(USAGE, cut)).isInstanceOf(KerberosException.class);
    }
    assertThatThrownBy(() -> key.decrypt(USAGE + 1, text)).isInstanceOf(KerberosException.class);
  }

  /** Fails if {@code Sha1Profile.decrypt} hashes the encrypted text. */
  @ParameterizedTest
  @EnumSource(EncryptionType.class)
  @DisplayName("What was encrypted is opened, at any length, and refused if changed or cut")
  void thereAndBack(EncryptionType type) throws KerberosException {
    byte[] base = new byte[type.keyLength()];
    Arrays.fill(base, (byte) 7);
    KerberosKey key = new KerberosKey(type, base);
    for (int length = 0; length < 40; length++) {
      byte[] plain = new byte[length];
      Arrays.fill(plain, (byte) length);
      byte[] text = Encrypting.encrypt(type, base, USAGE, plain);
      assertThat(key.decrypt(USAGE, text)).isEqualTo(plain);
    }
    refused(key, Encrypting.encrypt(type, base, USAGE, new byte[21]));
  }

  /** Fails if {@code checksum} derives its key for another purpose. */
  @ParameterizedTest
  @CsvSource({
      "17, 3, 9062430c8cda3388922e6d6a509f5b7a, 6569676874206e696e652074656e20656c6576656e207477656c7665207468697274"
          + "65656e, 01a4b088d45628f6946614e3",
      "18, 4, b1ae4cd8462aff1677053cc9279aac30b796fb81ce21474dd3ddbcfea4ec76d7, 666f75727465656e, "
          + "e08739e3279e2903ec8e3836",
      "19, 2, " + BASE_19 + ", 000102030405060708090a0b0c0d0e0f1011121314, d78367186643d67b411cba9139fc1dee",
      "20, 2, " + BASE_20 + ", 000102030405060708090a0b0c0d0e0f1011121314, "
          + "45ee791567eefca37f4ac1e0222de80d43c3bfa06699672a"})
  @DisplayName("Checksums: RFC 8009, appendix A, and of MIT's")
  void checksums(int type, int usage, String base, String message, String proof) throws KerberosException {
    KerberosKey key = key(type, base);
    byte[] bytes = hex(message);
    assertThat(key.verifies(usage, hex(proof), bytes)).isTrue();
    assertThat(key.verifies(usage, hex(proof), Arrays.copyOf(bytes, 3), Arrays.copyOfRange(bytes, 3, bytes.length)))
        .as("in parts").isTrue();
    assertThat(key.verifies(usage + 1, hex(proof), bytes)).isFalse();
    assertThat(key.verifies(usage, Arrays.copyOf(hex(proof), 8), bytes)).as("cut").isFalse();
  }

  /** Fails if a key's text has its bytes, or its length is not checked. */
  @Test
  @DisplayName("Keys have the length of their type, and are told to nobody")
  void keys() throws KerberosException {
    assertThat(key(19, BASE_19)).hasToString("a key of encryption type 19");
    assertThatThrownBy(() -> key(18, BASE_19)).isInstanceOf(KerberosException.class).hasMessageContaining("32 bytes");
    assertThat(EncryptionType.of(23)).isEmpty();
  }
}
