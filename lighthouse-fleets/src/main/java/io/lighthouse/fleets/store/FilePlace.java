package io.lighthouse.fleets.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The place of an SQLite file, which this process has open until the place is closed: the file that
 * a name stands for. Refuses files in which no fleets can be kept. While SQLite has a file open,
 * this process does not open it otherwise, by any of its names. On POSIX systems, closing such a
 * second opening would release the locks that SQLite has on it. Thread-safe.
 */
final class FilePlace implements AutoCloseable {
  /** The maximum length of a chain of symbolic links. */
  private static final int MAX_LINKS = 40;

  /** File systems on which a write-ahead log is unsafe or impossible. */
  private static final Set<String> REMOTE =
      Set.of("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "9p", "afs", "fuse");

  /** The places that are open, each as often as it is. Guarded by itself. */
  private static final List<FilePlace> OPEN = new ArrayList<>();

  private final Path file;

  /**
   * What the system knows the file by; null where there is no file yet, or the system has no such
   * keys. Guarded by {@link #OPEN}.
   */
  private Object key;

  private FilePlace(Path file, Object key) {
    this.file = file;
    this.key = key;
  }

  /**
   * Announces that a file is to be opened. Refuses a log without its file. That check opens the
   * file, so it is left out where this process has the file open: then it was made before.
   *
   * @param given a name of the file
   * @param writing whether fleets are to be kept there; else the file is only read
   * @throws StoreException if the file cannot be used for that
   */
  static FilePlace open(Path given, boolean writing) throws StoreException {
    Path file = of(given, writing);
    FilePlace place;
    try {
      place = new FilePlace(file, key(file));
    } catch (IOException failed) {
      throw new StoreException("cannot open " + file + ": " + failed, failed);
    }
    synchronized (OPEN) {
      if (OPEN.stream().noneMatch(place::isSame)) {
        new WriteAheadLog(file).refuseWithoutItsFile();
      }
      OPEN.add(place);
    }
    return place;
  }

  private boolean isSame(FilePlace other) {
    return file.equals(other.file) || key != null && key.equals(other.key);
  }

  /** The file behind all symbolic links. */
  Path file() {
    return file;
  }

  /** The file is there by now, and the system knows it by this; null where it has no keys. */
  void isThere(Object by) {
    synchronized (OPEN) {
      key = by;
    }
  }

  @Override
  public void close() {
    synchronized (OPEN) {
      OPEN.removeIf(one -> one == this);
    }
  }

  /**
   * What the system knows a file by, whatever its name. Null where there is no such file, or the
   * system has no such keys.
   *
   * @throws IOException if the system fails, so that this is not known
   */
  static Object key(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException none) {
      return null;
    }
  }

  /**
   * The file behind all symbolic links.
   *
   * @param given its name
   * @param writing whether fleets are to be kept there; else the file is only read
   * @throws StoreException if the file cannot be used for that
   */
  static Path of(Path given, boolean writing) throws StoreException {
    Path named = given.toAbsolutePath().normalize();
    refuse(named, writing);
    Path file = real(named);
    refuse(file, writing);
    return file;
  }

  private static void refuse(Path file, boolean writing) throws StoreException {
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new StoreException("cannot open " + file + ": its folder is not there", null);
    }
    if (Files.isDirectory(file)) {
      throw new StoreException("cannot open " + file + ": it is a folder", null);
    }
    if (!writing && Files.notExists(file)) {
      throw new StoreException("cannot open " + file + ": there is no such file", null);
    }
    try {
      requireLocal(file, Files.getFileStore(folder).type());
      if (writing) {
        refuseHardLinks(file);
      }
    } catch (IOException unknown) {
      throw new StoreException("cannot open " + file + ": " + unknown, unknown);
    }
  }

  /** Refuses a file on a file system of a type where a write-ahead log is not safe. */
  static void requireLocal(Path file, String type) throws StoreException {
    if (REMOTE.contains(type) || type.startsWith("fuse.")) {
      throw new StoreException(
          "cannot keep fleets in "
              + file
              + ": it is on a file system of type "
              + type
              + "; allowed: a local one, where SQLite's write-ahead log is safe",
          null);
    }
  }

  /**
   * The target of all symbolic links, which may not exist yet: all names of a file have one lock.
   */
  private static Path real(Path named) throws StoreException {
    try {
      Path file = named;
      for (int links = 0; Files.isSymbolicLink(file); links++) {
        if (links == MAX_LINKS) {
          throw new StoreException(
              "cannot open " + named + ": more than " + MAX_LINKS + " symbolic links", null);
        }
        file = file.resolveSibling(Files.readSymbolicLink(file)).normalize();
      }
      Path folder = file.getParent();
      if (folder == null || !Files.isDirectory(folder)) {
        throw new StoreException(
            "cannot open " + named + ": it is a link to " + file + ", whose folder is not there",
            null);
      }
      return folder.toRealPath().resolve(file.getFileName());
    } catch (IOException failed) {
      throw new StoreException("cannot open " + named + ": " + failed, failed);
    }
  }

  /** A second name of the file would have a write-ahead log and a lock of its own. */
  private static void refuseHardLinks(Path file) throws IOException, StoreException {
    if (!Files.notExists(file)
        && file.getFileSystem().supportedFileAttributeViews().contains("unix")
        && Files.getAttribute(file, "unix:nlink") instanceof Integer names
        && names > 1) {
      throw new StoreException(
          "cannot write to "
              + file
              + ": it has "
              + names
              + " names (hard links); allowed: 1, since each name has a write-ahead log of its own",
          null);
    }
  }
}
