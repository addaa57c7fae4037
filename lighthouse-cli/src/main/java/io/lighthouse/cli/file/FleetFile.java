package io.lighthouse.cli.file;

import io.lighthouse.cli.page.Terminal;
import io.lighthouse.json.read.GzipDecoder;
import io.lighthouse.json.read.ProblemDocument;
import io.lighthouse.json.read.ProblemReader;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.zip.ZipException;

/**
 * A file that holds a problem or anything else in JSON or YAML, as named on the command line;
 * {@code -} is standard input. Gzip is recognised by its first two bytes, YAML by the end of the
 * name.
 *
 * @param name as it was given
 */
public record FleetFile(String name) {
  /** The member of a problem that says as much as the option {@code --explain}. */
  public static final String EXPLAIN = "explain";

  /** The name of standard input. */
  public static final String STANDARD_INPUT = "-";

  private static final ProblemReader READER = ProblemReader.standard().withFlags(EXPLAIN);
  private static final Pattern YAML = Pattern.compile("(?i).*[.]ya?ml([.]gz)?");
  private static final int GZIP_1 = 0x1f;
  private static final int GZIP_2 = 0x8b;
  private static final int BUFFER = 1 << 16;

  /** The name for people. */
  public String title() {
    return isStandardInput() ? "standard input" : name;
  }

  /**
   * Reads the problem.
   *
   * @throws io.lighthouse.json.ProblemFormatException if it is not sound
   * @throws UnreadableException if there is nothing that could be read
   */
  public ProblemDocument read(Terminal terminal, Progress progress) {
    return read(terminal, progress, READER::read);
  }

  /** Whether there is something that can be read: standard input, or something of that name. */
  public boolean exists() {
    return is(Files::exists);
  }

  /** Whether it is standard input or a file, and no folder. */
  public boolean isFile() {
    return is(Files::isRegularFile);
  }

  /** Whether what is saved to a path replaces this file. */
  public boolean isSavedBy(Path path) {
    return !isStandardInput() && is(file -> SavedFile.isSame(file, path));
  }

  private boolean is(Predicate<Path> sort) {
    try {
      return isStandardInput() || sort.test(Path.of(name));
    } catch (InvalidPathException unnameable) {
      return false;
    }
  }

  /** What is made of the bytes of a file. */
  public interface Grammar<T> {
    T read(InputStream in) throws IOException;
  }

  /**
   * Reads something else, as JSON or YAML, gzipped or not.
   *
   * @throws UnreadableException if there is nothing that could be read
   */
  public <T> T read(Terminal terminal, Progress progress, Grammar<T> grammar) {
    try {
      if (isStandardInput()) {
        return read(terminal.in(), 0, progress, grammar);
      }
      Path path = Path.of(name);
      if (Files.isDirectory(path)) {
        throw new UnreadableException("is a directory; give the files in it");
      }
      try (InputStream in = Files.newInputStream(path)) {
        return read(in, Files.size(path), progress, grammar);
      }
    } catch (NoSuchFileException | InvalidPathException missing) {
      throw new UnreadableException("no such file");
    } catch (AccessDeniedException denied) {
      throw new UnreadableException("permission denied");
    } catch (ZipException broken) {
      throw new UnreadableException("is broken gzip: " + broken.getMessage());
    } catch (IOException failed) {
      throw new UnreadableException("cannot be read: " + failed.getMessage());
    }
  }

  private <T> T read(InputStream in, long size, Progress progress, Grammar<T> grammar)
      throws IOException {
    InputStream bytes =
        new BufferedInputStream(progress.counting("reading " + title(), in, size), BUFFER);
    bytes.mark(2);
    boolean gzip = bytes.read() == GZIP_1 && bytes.read() == GZIP_2;
    bytes.reset();
    InputStream plain = gzip ? GzipDecoder.stream(bytes) : bytes;
    return grammar.read(isYaml() ? new ByteArrayInputStream(YamlText.toJson(plain)) : plain);
  }

  /** Whether the name says that it is YAML. */
  boolean isYaml() {
    return YAML.matcher(name).matches();
  }

  private boolean isStandardInput() {
    return name.equals(STANDARD_INPUT);
  }

  /** Nothing could be read; the message says why. */
  public static final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message) {
      super(message);
    }
  }
}
