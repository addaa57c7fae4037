package io.lighthouse.core.search;

import io.lighthouse.core.index.IndexPart;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The index never decides: with a part of it switched off, every answer is that of the oracle. */
class SwitchedOffPartsTest {
  private static final int LIVES = Math.max(1, Integer.getInteger("lighthouse.lives", 700) / 20);

  @ParameterizedTest
  @EnumSource
  void withoutAPartEveryAnswerIsTheSame(IndexPart off) {
    live(EnumSet.complementOf(EnumSet.of(off)), "without " + off);
  }

  @ParameterizedTest
  @EnumSource
  void withOnePartAloneEveryAnswerIsTheSame(IndexPart on) {
    live(EnumSet.of(on), "with " + on + " alone");
  }

  private static void live(Set<IndexPart> parts, String which) {
    IndexScript script = new IndexScript();
    for (long seed = 1; seed <= LIVES; seed++) {
      try {
        script.live(seed, parts);
      } catch (Throwable broken) {
        throw new AssertionError(which + ", seed " + seed, broken);
      }
    }
  }
}
