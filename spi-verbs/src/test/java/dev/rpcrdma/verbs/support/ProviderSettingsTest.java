// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.verbs.VerbsException;
import dev.rpcrdma.verbs.options.Option;
import dev.rpcrdma.verbs.options.OptionSet;
import dev.rpcrdma.verbs.options.OptionType;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a provider says of settings that it does not take. */
class ProviderSettingsTest {

  private static final OptionSet SETTINGS = new OptionSet("AcmeOptions", "acme setting");
  private static final Option<Boolean> CRC = SETTINGS.add("crc", OptionType.flag(), true, "whether there are CRCs");

  private static void assertRefused(JsonObject json, String message) {
    assertThatThrownBy(() -> ProviderSettings.read(SETTINGS, json)).isInstanceOfSatisfying(VerbsException.class,
        e -> assertThat(e.kind()).isEqualTo(VerbsException.Kind.INVALID_ARGUMENT)).hasMessage(message);
  }

  @Test
  @DisplayName("A setting that is not taken is refused with the provider's name and the setting's")
  void refused() {
    assertThat(ProviderSettings.read(SETTINGS, new JsonObject().put("crc", false)).get(CRC)).isFalse();
    assertRefused(new JsonObject().put("crc", 1), "Wrong settings: acme setting crc is true or false, not 1");
    assertRefused(new JsonObject().put("crs", true), 
        "Wrong settings: No such acme setting: crs (did you mean crc?); there are crc");
  }
}
