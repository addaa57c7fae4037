package io.lighthouse.cli;

import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/** A file that a problem is saved to: wholly or not at all. */
final class SavedFile {
  private SavedFile() {}

  /**
   * Saves a problem; with gzip where the name ends with {@code .gz}. An existing file is replaced
   * when the new one is complete.
   *
   * @throws UnwritableException if it cannot be written; an existing file is as before
   */
  static void save(Problem problem, Path path) {
    save(path, out -> ProblemWriter.write(problem, out));
  }

  /** What is written to a file. */
  interface Content {
    void write(OutputStream out) throws IOException;
  }

  /**
   * Saves anything, in the same way.
   *
   * @throws UnwritableException if it cannot be written; an existing file is as before
   */
  static void save(Path path, Content content) {
    try {
      if (Files.isDirectory(path)) {
        throw new IOException("it is a directory");
      }
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        write(content, path); // A device or pipe: there is nothing to put in its place.
      } else {
        replace(content, Files.exists(path) ? path.toRealPath() : path.toAbsolutePath());
      }
    } catch (IOException failed) {
      throw new UnwritableException("cannot save to " + path + ": " + reason(failed));
    }
  }

  private static void replace(Content content, Path path) throws IOException {
    Path part = path.resolveSibling(path.getFileName() + ".part");
    try {
      write(content, part);
      Files.move(part, path, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void write(Content content, Path path) throws IOException {
    try (OutputStream file = Files.newOutputStream(path);
        OutputStream out = compressed(path, new BufferedOutputStream(file, 1 << 16))) {
      content.write(out);
    }
  }

  private static OutputStream compressed(Path path, OutputStream out) throws IOException {
    return path.toString().matches(".*[.]gz([.]part)?") ? new GZIPOutputStream(out) : out;
  }

  private static String reason(IOException failed) {
    if (failed instanceof NoSuchFileException) {
      return "no such directory";
    }
    return failed instanceof AccessDeniedException ? "permission denied" : failed.getMessage();
  }

  /** It could not be written; the message says why. */
  static final class UnwritableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnwritableException(String message) {
      super(message);
    }
  }
}
