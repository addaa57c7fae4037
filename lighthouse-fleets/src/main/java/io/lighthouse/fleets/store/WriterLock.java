package io.lighthouse.fleets.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lock of the one process that writes to a file. It is a lock of the operating system on a file
 * beside it, {@code FILE-lock}. The system releases it when the process ends, however it ends. On
 * POSIX systems it also does so when the process closes any channel to the lock file; so a process
 * never opens a second one. Closing it again does nothing.
 */
final class WriterLock implements AutoCloseable {
  /** The lock files that this process holds. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /**
   * Channels to locks that this process has by other means, such as another copy of these classes.
   * They stay open, as to close one would release that lock. Guarded by itself.
   */
  private static final List<FileChannel> OF_OTHERS = new ArrayList<>();

  private final Path beside;
  private final FileChannel channel;

  private WriterLock(Path beside, FileChannel channel) {
    this.beside = beside;
    this.channel = channel;
  }

  private static Path beside(Path file) {
    return file.resolveSibling(file.getFileName() + "-lock");
  }

  /** The file that is locked. */
  Path path() {
    return beside;
  }

  /** Takes the lock of a file. */
  static WriterLock take(Path file) throws StoreException {
    Path beside = beside(file);
    if (!HELD.add(beside)) {
      throw held(beside, file);
    }
    FileChannel channel = null;
    FileLock lock = null;
    try {
      channel = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock = channel.tryLock();
      if (lock == null) {
        throw held(beside, file);
      }
      return new WriterLock(beside, channel);
    } catch (OverlappingFileLockException here) {
      synchronized (OF_OTHERS) {
        OF_OTHERS.add(channel);
      }
      channel = null;
      throw held(beside, file);
    } catch (IOException failed) {
      throw new StoreException("cannot write to " + beside + ": " + failed, failed);
    } finally {
      if (lock == null) {
        if (channel != null) {
          close(channel);
        }
        HELD.remove(beside);
      }
    }
  }

  private static StoreException held(Path beside, Path file) {
    return new StoreException(
        "cannot write to " + file + ": another service holds it (its lock is " + beside + ")",
        null);
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException useless) {
      // The system closes it with the process.
    }
  }

  @Override
  public void close() {
    if (channel.isOpen()) {
      close(channel);
      HELD.remove(beside);
    }
  }
}
