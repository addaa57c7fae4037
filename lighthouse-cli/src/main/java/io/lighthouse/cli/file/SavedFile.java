package io.lighthouse.cli.file;

import io.lighthouse.cli.page.Terminal;
import io.lighthouse.json.Problem;
import io.lighthouse.json.write.ProblemWriter;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.GZIPOutputStream;

/**
 * A file that a problem is saved to: wholly or not at all. A signal that ends the command while it
 * saves removes the unfinished file.
 */
public final class SavedFile {
  /** How many names of unfinished files are tried. */
  private static final int MAX_PARTS = 100;

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private SavedFile() {}

  /**
   * Saves a problem as JSON, or as YAML where the name ends with {@code .yaml} or {@code .yml};
   * with gzip where it ends with {@code .gz}. An existing file is replaced when the new one is
   * complete.
   *
   * @throws UnwritableException if it cannot be written; an existing file is as before
   */
  public static void save(Problem problem, Path path) {
    boolean yaml = new FleetFile(path.toString()).isYaml();
    save(path, out -> write(problem, yaml, out));
  }

  /**
   * Saves a problem, or prints it as JSON where there is no file.
   *
   * @param path the file; null for standard output
   * @throws UnwritableException if the file cannot be written
   * @throws IOException if standard output cannot be written
   */
  public static void saveOrPrint(Problem problem, Path path, Terminal terminal) throws IOException {
    if (path == null) {
      ProblemWriter.write(problem, terminal.out());
    } else {
      save(problem, path);
    }
  }

  private static void write(Problem problem, boolean yaml, OutputStream out) throws IOException {
    if (!yaml) {
      ProblemWriter.write(problem, out);
      return;
    }
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    ProblemWriter.write(problem, json);
    YamlWriter.write(json.toByteArray(), out);
  }

  /** Whether two names are of one file, which one content would replace by the other. */
  public static boolean isSame(Path one, Path other) {
    try {
      if (Files.exists(one) || Files.exists(other)) {
        return Files.isRegularFile(one) && Files.exists(other) && Files.isSameFile(one, other);
      }
      return inRealFolder(one).equals(inRealFolder(other));
    } catch (IOException unknown) {
      return false;
    }
  }

  private static Path inRealFolder(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    return absolute.getParent().toRealPath().resolve(absolute.getFileName());
  }

  /** What is written to a file. */
  public interface Content {
    void write(OutputStream out) throws IOException;
  }

  /**
   * Saves anything, in the same way.
   *
   * @throws UnwritableException if it cannot be written; an existing file is as before
   */
  public static void save(Path path, Content content) {
    try {
      if (Files.isDirectory(path)) {
        throw new IOException("it is a directory");
      }
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        write(content, path, path); // A device or pipe: there is nothing to put in its place.
      } else {
        replace(content, Files.exists(path) ? path.toRealPath() : path.toAbsolutePath());
      }
    } catch (IOException failed) {
      throw new UnwritableException("cannot save to " + path + ": " + reason(failed));
    }
  }

  private static void replace(Content content, Path path) throws IOException {
    Path part = createPart(path);
    boolean moved = false;
    Thread atExit = new Thread(() -> part.toFile().delete(), "lighthouse-unfinished-file");
    try {
      remember(atExit);
      write(content, path, part);
      keepPermissions(path, part);
      Files.move(part, path, StandardCopyOption.REPLACE_EXISTING);
      moved = true;
      synchroniseFolder(path);
    } finally {
      if (!moved) {
        Files.deleteIfExists(part);
      }
      forget(atExit);
    }
  }

  private static void remember(Thread atExit) throws IOException {
    try {
      Runtime.getRuntime().addShutdownHook(atExit);
    } catch (IllegalStateException exiting) {
      throw new IOException("the command ends", exiting);
    }
  }

  private static void forget(Thread atExit) {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException exiting) {
      // A signal has come, and the hook runs.
    }
  }

  /** Gives the new file the mode of the old one, where there is one. Its owner may be another. */
  private static void keepPermissions(Path old, Path part) throws IOException {
    if (hasMode(old)) {
      Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(old));
    }
  }

  private static boolean hasMode(Path old) {
    return Files.exists(old) && old.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * A new file beside it: one that is there already belongs to another, and stays as it is. Where
   * it is to replace a file, nobody else can read it before it has that file's mode.
   */
  private static Path createPart(Path path) throws IOException {
    FileAttribute<?>[] mode =
        hasMode(path) ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0];
    for (int number = 0; number < MAX_PARTS; number++) {
      String end = number == 0 ? ".part" : "." + number + ".part";
      try {
        return Files.createFile(path.resolveSibling(path.getFileName() + end), mode);
      } catch (FileAlreadyExistsException foreign) {
        // The next name.
      }
    }
    throw new IOException(
        path.getFileName() + ".part and " + (MAX_PARTS - 1) + " more beside it are there already");
  }

  /**
   * Writes what the file at {@code path} is to have; where it is a file, on the disk afterwards.
   */
  private static void write(Content content, Path path, Path to) throws IOException {
    try (FileChannel channel =
            FileChannel.open(to, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        OutputStream file = Channels.newOutputStream(channel)) {
      OutputStream out = compressed(path, new BufferedOutputStream(file, 1 << 16));
      content.write(out);
      if (out instanceof GZIPOutputStream gzip) {
        gzip.finish();
      }
      out.flush();
      if (Files.isRegularFile(to)) {
        channel.force(true);
      }
    }
  }

  private static void synchroniseFolder(Path path) throws IOException {
    FileChannel folder;
    try {
      folder = FileChannel.open(path.getParent(), StandardOpenOption.READ);
    } catch (IOException notHere) {
      return; // Windows does not open folders, and needs no such thing.
    }
    try (folder) {
      folder.force(true);
    }
  }

  private static OutputStream compressed(Path path, OutputStream out) throws IOException {
    return path.toString().endsWith(".gz") ? new GZIPOutputStream(out) : out;
  }

  private static String reason(IOException failed) {
    if (failed instanceof NoSuchFileException) {
      return "no such directory";
    }
    return failed instanceof AccessDeniedException ? "permission denied" : failed.getMessage();
  }

  /** It could not be written; the message says why. */
  public static final class UnwritableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnwritableException(String message) {
      super(message);
    }
  }
}
