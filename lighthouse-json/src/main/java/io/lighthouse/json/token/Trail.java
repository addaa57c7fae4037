package io.lighthouse.json.token;

import io.lighthouse.json.Place;
import java.util.regex.Pattern;

/** A way down into a text, step by step. */
public final class Trail {
  private static final int LONGEST = 60;
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,59}");

  private final StringBuilder path = new StringBuilder();
  private final StringBuilder pointer = new StringBuilder();

  /** A step to a member of an object. */
  public Trail name(String name) {
    if (PLAIN.matcher(name).matches()) {
      path.append(path.isEmpty() ? "" : ".").append(name);
    } else {
      path.append("['").append(shortened(name)).append("']");
    }
    pointer.append('/').append(name.replace("~", "~0").replace("/", "~1"));
    return this;
  }

  /** A step to an entry of an array. */
  public Trail index(int index) {
    path.append('[').append(index).append(']');
    pointer.append('/').append(index);
    return this;
  }

  /** The place at the end; the line in the upper half of the position, the column in the lower. */
  public Place at(long position) {
    return new Place(
        (int) (position >>> Integer.SIZE), (int) position, path.toString(), pointer.toString());
  }

  private static String shortened(String name) {
    return name.codePointCount(0, name.length()) <= LONGEST
        ? name
        : name.substring(0, name.offsetByCodePoints(0, LONGEST)) + "...";
  }
}
