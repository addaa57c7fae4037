package io.lighthouse.fleets.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Finds the file that a name stands for, and refuses those in which no fleets can be kept. */
final class FilePlace {
  /** The maximum length of a chain of symbolic links. */
  private static final int MAX_LINKS = 40;

  /** File systems on which a write-ahead log is unsafe or impossible. */
  private static final Set<String> REMOTE =
      Set.of("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "9p", "afs", "fuse");

  private FilePlace() {}

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
    if (!writing && !Files.exists(file)) {
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
    if (Files.exists(file)
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
