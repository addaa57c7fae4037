package io.lighthouse.fleets.store;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * The write-ahead log of an SQLite file, {@code FILE-wal}, as a process may have left it.
 *
 * <p>The log is a header and frames, each with a page and a sum over all before it. SQLite reads it
 * up to the first frame that it cannot verify, and takes that frame for the end. Source: <a
 * href="https://www.sqlite.org/fileformat2.html#walformat">SQLite's file format</a>, section 4.
 */
final class WriteAheadLog {
  private static final int HEADER = 32;
  private static final int FRAME_HEADER = 24;

  /** The first number of a log; with one added, its sums are over big-endian numbers. */
  private static final int LOG = 0x377f0682;

  /** The size of a page in our files, in bytes: SQLite's default. */
  private static final int PAGE = 4_096;

  /** The part of a file that a disk writes as a whole or not at all, in bytes. */
  private static final int BLOCK = 512;

  /** Where a file names the version that wrote it, and the one that has a log. */
  private static final int VERSION_AT = 18;

  private static final int WITH_LOG = 2;

  private final Path file;
  private final Path log;

  WriteAheadLog(Path file) {
    this.file = file;
    this.log = file.resolveSibling(file.getFileName() + "-wal");
  }

  Path path() {
    return log;
  }

  /** Whether it is there; also where that cannot be seen. */
  boolean exists() {
    return !Files.notExists(log);
  }

  /**
   * Refuses a log whose file is missing or empty, or never had a log, as a backup. SQLite would
   * delete the log with all entries that are only there, or write it into the copy. SQLite itself
   * leaves no such pair: it writes the file first.
   */
  void refuseWithoutItsFile() throws StoreException {
    try {
      long bytes = size();
      if (bytes > 0 && !hasItsFile()) {
        throw new StoreException(
            "cannot open "
                + file
                + ": it is missing, empty or a copy, and the log "
                + log.getFileName()
                + " has "
                + bytes
                + " bytes; put back the file that the log belongs to, or move the log away",
            null);
      }
    } catch (IOException failed) {
      throw unverified(failed);
    }
  }

  /** Zero where there is no log; another process may delete it at any moment. */
  private long size() throws IOException {
    try {
      return Files.size(log);
    } catch (NoSuchFileException none) {
      return 0;
    }
  }

  private boolean hasItsFile() throws IOException {
    if (Files.notExists(file) || Files.size(file) <= VERSION_AT) {
      return false;
    }
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      open.seek(VERSION_AT);
      return open.read() == WITH_LOG;
    }
  }

  /**
   * Whether the log goes on behind a frame that cannot be verified, which SQLite would not report.
   * A write that a power cut broke off leaves such a frame, too. But nothing follows its commit,
   * since each commit is synchronised before the next frame is written. So damage to the last
   * commit, to the header of the last frame before it, or a log that was cut, looks like that.
   *
   * <p>The mark of a commit counts where its frame can be verified, or where one block has the
   * frame's header. A header across two blocks may be of two commits that power cuts broke off. It
   * has the mark of the second one then, and a sum of the first one, whose frames follow.
   *
   * @return what may be lost, in words; empty where nothing is, or it is not seen
   */
  Optional<String> damage() throws StoreException {
    if (Files.isDirectory(log)) {
      return Optional.empty(); // SQLite refuses it.
    }
    try (InputStream in = bytes()) {
      Frames frames = new Frames(in);
      long lost = frames.sound ? -1 : 0;
      boolean committed = false; // Whether the frame before ends a commit that is lost.
      while (frames.next()) {
        if (frames.follows && committed) {
          return Optional.of(lostFrom(lost));
        }
        lost = frames.follows || lost >= 0 ? lost : frames.number;
        committed =
            lost >= 0 && frames.endsCommit() && (frames.follows || frames.isHeaderInOneBlock());
      }
      return Optional.empty();
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException failed) {
      throw unverified(failed);
    }
  }

  /** How many frames the log has up to the end of its last commit, as a start of SQLite sees it. */
  long committedFrames() throws StoreException {
    try (InputStream in = bytes()) {
      Frames frames = new Frames(in);
      long committed = 0;
      while (frames.sound && frames.next() && frames.follows) {
        committed = frames.endsCommit() ? frames.number : committed;
      }
      return committed;
    } catch (IOException failed) {
      throw unverified(failed);
    }
  }

  /**
   * Ends the log behind some frames, durably: no start of SQLite reads what follows them. Not by a
   * channel, which an interrupt of the thread would close.
   */
  void endAfter(long frames) throws StoreException {
    try (InputStream in = bytes();
        RandomAccessFile open = new RandomAccessFile(log.toFile(), "rw")) {
      Frames all = new Frames(in);
      if (!all.sound || frames < 0) {
        throw new IOException("there are no such frames");
      }
      open.seek(HEADER + frames * all.size);
      open.write(new byte[FRAME_HEADER]);
      open.getFD().sync();
    } catch (IOException failed) {
      throw unverified(failed);
    }
  }

  private static void write(FileChannel channel, ByteBuffer bytes, long from) throws IOException {
    long at = from;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
  }

  private InputStream bytes() throws IOException {
    return new BufferedInputStream(Files.newInputStream(log), 1 << 16);
  }

  /** The frames of a log, one after the other. */
  private static final class Frames {
    private final InputStream in;

    /** Whether the header of the log can be verified. */
    private final boolean sound;

    private final ByteOrder order;

    /** The bytes of a frame. */
    private final int size;

    private long salt;

    /** The sum over all before the present frame. */
    private long before;

    /** The present frame, and its number, from 1. */
    private ByteBuffer frame;

    private long number;

    /** Whether the present frame can be verified. */
    private boolean follows;

    Frames(InputStream in) throws IOException {
      this.in = in;
      ByteBuffer header = ByteBuffer.wrap(Arrays.copyOf(in.readNBytes(HEADER), HEADER));
      ByteOrder named =
          header.getInt(0) == LOG + 1 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
      before = header.getLong(24);
      sound =
          (header.getInt(0) == LOG || header.getInt(0) == LOG + 1)
              && sum(0, header, 0, 24, named) == before;
      order = sound ? named : ByteOrder.nativeOrder();
      size = FRAME_HEADER + (sound ? header.getInt(8) : PAGE);
      salt = header.getLong(16);
    }

    /** Reads the next one; false at the end of the log. */
    boolean next() throws IOException {
      if (frame != null) {
        before = frame.getLong(16);
        salt = sound ? salt : frame.getLong(8);
      }
      frame = ByteBuffer.wrap(in.readNBytes(size));
      number++;
      if (frame.remaining() < size) {
        return false;
      }
      follows =
          frame.getLong(8) == salt
              && sum(sum(before, frame, 0, 8, order), frame, FRAME_HEADER, size, order)
                  == frame.getLong(16);
      return true;
    }

    boolean endsCommit() {
      return frame.getInt(4) != 0;
    }

    boolean isHeaderInOneBlock() {
      return (HEADER + (number - 1) * size) % BLOCK + FRAME_HEADER <= BLOCK;
    }
  }

  private String lostFrom(long frame) {
    return "its log "
        + log.getFileName()
        + " was damaged at "
        + (frame == 0 ? "its header" : "frame " + frame)
        + ", and calls that were answered may be lost";
  }

  /** Adds the numbers of some bytes to a sum, as SQLite does: two numbers, each of 32 bits. */
  private static long sum(long before, ByteBuffer of, int from, int to, ByteOrder order) {
    ByteBuffer numbers = of.duplicate().order(order);
    int first = (int) (before >>> 32);
    int second = (int) before;
    for (int at = from; at < to; at += 8) {
      first += numbers.getInt(at) + second;
      second += numbers.getInt(at + 4) + first;
    }
    return (long) first << 32 | second & 0xffffffffL;
  }

  /**
   * Rewrites the log that another process of ours left, and synchronises it. After a failed
   * synchronisation the system may show pages that never reached the disk, take them for written,
   * and report nothing more. Written again, they reach the disk, or the start fails. The bytes do
   * not change, so other processes may read meanwhile.
   */
  void rewrite() throws StoreException {
    try (FileChannel channel =
        FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer piece = ByteBuffer.allocate(1 << 16);
      long at = 0;
      while (channel.read(piece, at) > 0) {
        piece.flip();
        write(channel, piece, at);
        at += piece.limit();
        piece.clear();
      }
      channel.force(true);
    } catch (NoSuchFileException none) {
      // Nothing is to be rewritten. A process that reads the file may have deleted its log now.
    } catch (IOException failed) {
      throw unverified(failed);
    }
  }

  private StoreException unverified(IOException failed) {
    return new StoreException(
        "cannot open " + file + ": its log cannot be verified: " + failed, failed);
  }
}
