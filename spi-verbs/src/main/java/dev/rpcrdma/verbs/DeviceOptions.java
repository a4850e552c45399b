// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.verbs;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * How a device is opened.
 *
 * @param settings provider-specific settings; empty for the defaults. A provider refuses a setting
 *     that it does not know.
 * @param capture where to write a pcapng file of all that the device sends and receives, for
 *     Wireshark; empty for no capture. The file is overwritten, and complete once the device is
 *     closed. A provider that cannot see its packets refuses it.
 */
public record DeviceOptions(JsonObject settings, Optional<Path> capture) {

  /** The provider's defaults, no capture. */
  public static final DeviceOptions DEFAULT =
      new DeviceOptions(new JsonObject(), Optional.empty());

  /** Takes a copy of the settings. */
  public DeviceOptions {
    settings = settings.copy();
    Objects.requireNonNull(capture, "capture");
  }

  /**
   * A copy of the settings.
   *
   * @return the settings
   */
  @Override
  public JsonObject settings() {
    return settings.copy();
  }

  /**
   * These options with other settings.
   *
   * @param value provider-specific settings
   * @return a copy
   */
  public DeviceOptions withSettings(JsonObject value) {
    return new DeviceOptions(value, capture);
  }

  /**
   * These options with a capture.
   *
   * @param file where to write it
   * @return a copy
   */
  public DeviceOptions withCapture(Path file) {
    return new DeviceOptions(settings, Optional.of(file));
  }
}
