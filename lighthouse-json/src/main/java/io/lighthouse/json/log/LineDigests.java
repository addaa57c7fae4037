package io.lighthouse.json.log;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The SHA-256 of a text that is written here, and of each of its lines; and the beginning of each
 * line. Nothing else is kept. Not thread-safe.
 */
final class LineDigests extends OutputStream {
  private static final int SHORT = 4;

  /** The bytes of a line that are kept to name it. */
  private static final int BEGINNING = 60;

  private final MessageDigest all = sha256();
  private final MessageDigest line = sha256();
  private final List<String> lines = new ArrayList<>();
  private final List<String> beginnings = new ArrayList<>();
  private final byte[] beginning = new byte[BEGINNING];
  private int length;
  private String whole;

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    all.update(bytes, from, count);
    int start = from;
    for (int i = from; i < from + count; i++) {
      if (bytes[i] == '\n') {
        line.update(bytes, start, i - start);
        endLine();
        start = i + 1;
      } else if (length < BEGINNING) {
        beginning[length++] = bytes[i];
      }
    }
    line.update(bytes, start, from + count - start);
  }

  private void endLine() {
    lines.add(shortened(line.digest()));
    String text = new String(beginning, 0, length, StandardCharsets.UTF_8);
    beginnings.add(length < BEGINNING ? text : text + "...");
    length = 0;
  }

  /** The SHA-256 of everything, in hexadecimal digits. Nothing may be written afterwards. */
  String whole() {
    if (whole == null) {
      whole = HexFormat.of().formatHex(all.digest());
    }
    return whole;
  }

  /** Of each line that has ended, the first eight digits of its SHA-256. */
  List<String> lines() {
    return lines;
  }

  /** How each line begins. */
  List<String> beginnings() {
    return beginnings;
  }

  static String ofLine(byte[] bytes) {
    return shortened(sha256().digest(bytes));
  }

  private static String shortened(byte[] digest) {
    return HexFormat.of().formatHex(digest, 0, SHORT);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
