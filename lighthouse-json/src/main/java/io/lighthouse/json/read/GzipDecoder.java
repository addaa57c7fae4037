package io.lighthouse.json.read;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decodes gzip (RFC 1952) piece by piece, and checks all of it. For every member, it checks each
 * field of the header, the header's CRC if there is one, and the checksum and length after the
 * data. It also checks that nothing is missing or left over at the end. ({@link
 * java.util.zip.GZIPInputStream} accepts reserved flags, and any bytes after the first member.)
 *
 * <p>Decoding reads from memory and never waits. Every call consumes all its input, fills the room
 * for its output, or fails, so a caller's loop ends when its input ends. Memory: about 50
 * kilobytes. Not thread-safe.
 *
 * <p>Source: RFC 1952, GZIP file format specification version 4.3.
 */
public final class GzipDecoder implements AutoCloseable {
  private static final int HEADER_CRC_FLAG = 1 << 1;
  private static final int EXTRA_FLAG = 1 << 2;
  private static final int NAME_FLAG = 1 << 3;
  private static final int COMMENT_FLAG = 1 << 4;
  private static final int RESERVED_FLAGS = 0b1110_0000;

  private static final int DEFLATE = 8;
  private static final int METHOD_AT = 3;
  private static final int FLAGS_AT = 4;
  private static final int FIXED_LENGTH = 10;
  private static final int TRAILER_LENGTH = 8;

  /** The parts of a member, in their order. */
  private enum Part {
    FIXED,
    EXTRA_LENGTH,
    EXTRA,
    NAME,
    COMMENT,
    HEADER_CRC,
    DATA,
    TRAILER
  }

  private final Inflater inflater = new Inflater(true);
  private final CRC32 headerCrc = new CRC32();
  private final CRC32 dataCrc = new CRC32();

  private Part part = Part.FIXED;

  /** How many bytes of the present part were read. */
  private int read;

  /** The number that the last bytes of the present part make, the lowest byte first. */
  private long number;

  private int flags;
  private int extraLength;
  private boolean anyMember;

  /** A decoder at the beginning of the first member. */
  public GzipDecoder() {}

  /**
   * Decodes.
   *
   * @param in the next bytes of the gzip; those that are used are consumed
   * @param out where the decoded bytes go
   * @param from the first index for them
   * @param length most of them, at least 1
   * @return how many there are; 0 only where all of the input is consumed
   * @throws ZipException if this is no sound gzip
   */
  public int decode(ByteBuffer in, byte[] out, int from, int length) throws ZipException {
    while (in.hasRemaining()) {
      if (part == Part.DATA) {
        int count = inflate(in, out, from, length);
        if (count > 0) {
          return count;
        }
      } else {
        take(in.get() & 0xff);
      }
    }
    // What the inflater has decoded already, and had no room for.
    return part == Part.DATA ? inflate(in, out, from, length) : 0;
  }

  /**
   * To be called when there is no more input.
   *
   * @throws ZipException if the last member is not complete, or there is none
   */
  public void finish() throws ZipException {
    if (!anyMember && read == 0 && part == Part.FIXED) {
      throw new ZipException("it is empty");
    }
    if (part != Part.FIXED || read > 0) {
      throw new ZipException("it ends too early");
    }
  }

  @Override
  public void close() {
    inflater.end();
  }

  /**
   * A stream of decoded bytes.
   *
   * @param in gzip; closed with the stream
   * @return what it holds, which fails with a {@link ZipException} where that is not sound
   */
  public static InputStream stream(InputStream in) {
    return new Decoded(in);
  }

  /** Inflates; every call consumes input, makes output, or comes to the end of the data. */
  private int inflate(ByteBuffer in, byte[] out, int from, int length) throws ZipException {
    int before = in.remaining();
    int count;
    try {
      inflater.setInput(in);
      count = inflater.inflate(out, from, length);
    } catch (DataFormatException broken) {
      throw new ZipException("its data are broken");
    }
    dataCrc.update(out, from, count);
    if (inflater.finished()) {
      begin(Part.TRAILER);
    } else if (inflater.needsDictionary() || count == 0 && before > 0 && in.remaining() == before) {
      throw new ZipException("its data are broken");
    }
    return count;
  }

  /** One byte that is not data. */
  private void take(int one) throws ZipException {
    if (part.compareTo(Part.HEADER_CRC) < 0) {
      headerCrc.update(one);
    }
    number |= read < Long.BYTES ? (long) one << Byte.SIZE * read : 0;
    read++;
    switch (part) {
      case FIXED -> fixed(one);
      case EXTRA_LENGTH -> {
        if (read == 2) {
          extraLength = (int) number;
          begin(extraLength > 0 ? Part.EXTRA : after(Part.EXTRA));
        }
      }
      case EXTRA -> {
        if (read == extraLength) {
          begin(after(Part.EXTRA));
        }
      }
      case NAME, COMMENT -> {
        if (one == 0) {
          begin(after(part));
        }
      }
      case HEADER_CRC -> {
        if (read == 2) {
          require(number == (headerCrc.getValue() & 0xffff), "its header is not what it was");
          begin(Part.DATA);
        }
      }
      default -> {
        if (read == TRAILER_LENGTH) {
          endMember();
        }
      }
    }
  }

  private void fixed(int one) throws ZipException {
    switch (read) {
      case 1 -> require(one == 0x1f, "it does not begin as gzip does");
      case 2 -> require(one == 0x8b, "it does not begin as gzip does");
      case METHOD_AT -> require(one == DEFLATE, "its method is not deflate");
      case FLAGS_AT -> {
        require((one & RESERVED_FLAGS) == 0, "its header has reserved flags");
        flags = one;
      }
      case FIXED_LENGTH -> begin(after(Part.FIXED));
      default -> {}
    }
  }

  /** The part that comes behind one of a header, by the flags. */
  private Part after(Part before) {
    if (before.compareTo(Part.EXTRA_LENGTH) < 0 && (flags & EXTRA_FLAG) != 0) {
      return Part.EXTRA_LENGTH;
    }
    if (before.compareTo(Part.NAME) < 0 && (flags & NAME_FLAG) != 0) {
      return Part.NAME;
    }
    if (before.compareTo(Part.COMMENT) < 0 && (flags & COMMENT_FLAG) != 0) {
      return Part.COMMENT;
    }
    return (flags & HEADER_CRC_FLAG) != 0 ? Part.HEADER_CRC : Part.DATA;
  }

  private void endMember() throws ZipException {
    require((number & 0xffff_ffffL) == dataCrc.getValue(), "its data are not what they were");
    require(
        number >>> Integer.SIZE == (inflater.getBytesWritten() & 0xffff_ffffL),
        "its data are not as long as they were");
    anyMember = true;
    inflater.reset();
    headerCrc.reset();
    dataCrc.reset();
    begin(Part.FIXED);
  }

  private void begin(Part next) {
    part = next;
    read = 0;
    number = 0;
  }

  private static void require(boolean holds, String otherwise) throws ZipException {
    if (!holds) {
      throw new ZipException(otherwise);
    }
  }

  /** The decoded bytes of a stream. */
  private static final class Decoded extends InputStream {
    private final InputStream in;
    private final GzipDecoder decoder = new GzipDecoder();
    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).limit(0);
    private boolean ended;

    Decoded(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      while (!ended) {
        int count = decoder.decode(bytes, target, offset, length);
        if (count > 0) {
          return count;
        }
        int more = in.read(bytes.array(), 0, bytes.capacity());
        if (more <= 0) {
          ended = true;
          decoder.finish();
        }
        bytes.position(0).limit(Math.max(more, 0));
      }
      return -1;
    }

    @Override
    public void close() throws IOException {
      decoder.close();
      in.close();
    }
  }
}
