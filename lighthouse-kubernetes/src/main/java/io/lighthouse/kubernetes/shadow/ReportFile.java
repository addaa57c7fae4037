package io.lighthouse.kubernetes.shadow;

import io.lighthouse.api.error.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file with the newest report: JSON where its name ends so, else HTML. */
final class ReportFile {
  private final Path file;
  private final Path fresh;

  /**
   * Writes nothing yet.
   *
   * @throws InvalidInputException if its folder is not there
   */
  ReportFile(Path file) {
    this.file = file.toAbsolutePath();
    Path folder = this.file.getParent();
    if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(this.file)) {
      throw new InvalidInputException(
          "shadow", "--report", "'" + file + "'", "a file in a folder that is there");
    }
    fresh = folder.resolve("." + this.file.getFileName() + ".new");
  }

  /** Replaces the file as a whole, so that a reader never sees half of a report. */
  void write(ShadowReport report) throws IOException {
    boolean isJson = file.getFileName().toString().endsWith(".json");
    Files.write(fresh, isJson ? ReportJson.of(report) : ReportPage.of(report));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
