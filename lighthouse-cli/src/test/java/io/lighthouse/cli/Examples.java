package io.lighthouse.cli;

import java.nio.file.Path;

/** The examples of the project. */
final class Examples {
  private Examples() {}

  static Path directory() {
    return Path.of(System.getProperty("lighthouse.root"), "examples");
  }

  static Path file(String name) {
    return directory().resolve(name);
  }
}
