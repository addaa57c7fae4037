package io.lighthouse.fleets.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Entries, and what every journal does with them. */
final class JournalCases {
  static final Retention ALL_MAY_GO = new Retention(Long.MAX_VALUE, 1, Long.MAX_VALUE);
  static final Retention NOTHING_MAY_GO = new Retention(0, Long.MAX_VALUE, 0);

  private JournalCases() {}

  static Entry entry(long fleet, long generation, String key, byte[] before) {
    byte[] body = ("{\"v\":1,\"kind\":\"k" + generation + "\"}").getBytes();
    byte[] request = key == null ? null : new byte[] {1};
    byte[] answer = key == null ? null : new byte[] {2, 3};
    return new Entry(fleet, generation, 5, "t", key, request, 200, answer, body, null)
        .chained(before);
  }

  /** Appends {@code entries} entries to a fleet; the first one creates it. */
  static Head fill(Journal journal, long fleet, int entries) throws StoreException {
    Head head = null;
    for (int i = 1; i <= entries; i++) {
      byte[] before = head == null ? Entry.beginning() : head.hash();
      Entry entry = entry(fleet, i, i % 2 == 0 ? "key" + i : null, before);
      Head after = new Head(fleet, "f" + fleet, i, entry.hash(), false);
      journal.append(head, List.of(entry), after);
      head = after;
    }
    return head;
  }

  /** A snapshot of the first fleet after an entry that the log has. */
  static Saved saved(Journal journal, long generation) throws StoreException {
    byte[] hash = journal.entries(1, generation - 1, 1).get(0).hash();
    return Saved.of(1, generation, hash, new byte[] {(byte) generation});
  }

  /** As when the store went back while the snapshot was made. */
  static void keepsNoSnapshotOfAnEntryThatItDoesNotHave(Journal journal, Retention retention)
      throws StoreException {
    fill(journal, 1, 4);
    byte[] lost = saved(journal, 3).entryHash();
    journal.save(Saved.of(1, 4, lost, new byte[] {1}), retention);
    journal.save(Saved.of(1, 5, lost, new byte[] {1}), retention);
    journal.save(Saved.of(2, 3, lost, new byte[] {1}), retention);
    assertThat(journal.snapshots(1)).isEmpty();
    assertThat(journal.snapshots(2)).isEmpty();
    journal.save(saved(journal, 4), retention);
    assertThat(journal.snapshots(1)).extracting(Saved::generation).containsExactly(4L);
  }

  /** Snapshots of entries that the log has lost: one behind its end, and one of another entry. */
  static void countsNoSnapshotOfALostPast(Journal journal, Consumer<String> sql)
      throws StoreException {
    fill(journal, 1, 6);
    journal.save(saved(journal, 2), NOTHING_MAY_GO);
    for (int lost : new int[] {4, 9}) {
      sql.accept(
          "INSERT INTO snapshot SELECT 1, "
              + lost
              + ", hash, hash, hash FROM entry WHERE generation = 3");
    }
    journal.save(saved(journal, 4), ALL_MAY_GO);
    assertThat(journal.snapshots(1))
        .extracting(Saved::generation, Saved::isSound)
        .containsExactly(tuple(4L, true), tuple(2L, true));
    assertThat(journal.oldest(1)).contains(3L);
  }

  /** Fleets 1 and 2 of one name are gone, and fleet 3 has that name. */
  static void findsACallOfAGoneFleetByItsName(Journal journal) throws StoreException {
    for (long fleet = 1; fleet <= 3; fleet++) {
      Entry begin = entry(fleet, 1, null, Entry.beginning());
      Head head = new Head(fleet, "f", 1, begin.hash(), false);
      journal.append(null, List.of(begin), head);
      Entry end = entry(fleet, 2, "key" + fleet, begin.hash());
      journal.append(head, List.of(end), new Head(fleet, "f", 2, end.hash(), fleet < 3));
    }
    byte[] request = {1};
    assertThat(journal.byKeyOfGone("f", "t", "key2", request).orElseThrow().fleet()).isEqualTo(2);
    assertThat(journal.byKeyOfGone("f", "t", "key2", new byte[] {2})).isEmpty();
    assertThat(journal.byKeyOfGone("f", "other", "key2", request)).isEmpty();
    assertThat(journal.byKeyOfGone("g", "t", "key2", request)).isEmpty();
    assertThat(journal.byKeyOfGone("f", "t", "key3", request)).isEmpty();
  }

  /** Entries of a quarter of a page, one that fills a page, and one that is larger than a page. */
  static void readsNoMoreThanAPageOfEntriesAndNeverNone(Journal journal) throws StoreException {
    int quarter = (int) Journal.PAGE_BYTES / 4;
    int[] sizes = {quarter, quarter, quarter, quarter, 1, 4 * quarter, 4 * quarter + 1, 1};
    Head head = null;
    for (int size : sizes) {
      byte[] before = head == null ? Entry.beginning() : head.hash();
      long next = head == null ? 1 : head.generation() + 1;
      byte[] body = new byte[size / 2];
      byte[] answer = new byte[size - size / 2];
      Entry entry =
          new Entry(1, next, 5, "t", "k" + next, new byte[] {1}, 200, answer, body, null)
              .chained(before);
      Head after = new Head(1, "f", next, entry.hash(), false);
      journal.append(head, List.of(entry), after);
      head = after;
    }
    List<List<Long>> pages = new ArrayList<>();
    try (Hold hold = journal.hold(1, 0, List.of())) {
      for (long at = 0; at < sizes.length; ) {
        List<Entry> page = journal.entries(1, at, 100);
        assertThat(hold.entries(at, 100)).hasSameSizeAs(page);
        pages.add(page.stream().map(Entry::generation).toList());
        at += page.size();
      }
    }
    assertThat(pages)
        .containsExactly(
            List.of(1L, 2L, 3L, 4L), List.of(5L), List.of(6L), List.of(7L), List.of(8L));
    assertThat(journal.entries(1, 0, 2)).hasSize(2);
    assertThat(journal.entries(1, 8, 2)).isEmpty();
  }

  /** Each of these effects has 19 bytes. */
  static void givesFollowersAsManyBytesAsTheyHaveRoomForAndNeverNoEntry(Journal journal)
      throws StoreException {
    fill(journal, 1, 7);
    fill(journal, 2, 3);
    assertThat(journal.events(1, 2, 9, 57))
        .extracting(LogEvent::generation)
        .containsExactly(3L, 4L, 5L);
    assertThat(journal.events(1, 2, 9, 56))
        .extracting(LogEvent::generation)
        .containsExactly(3L, 4L);
    assertThat(journal.events(1, 2, 1, 57)).extracting(LogEvent::generation).containsExactly(3L);
    assertThat(journal.events(1, 7, 9, 57)).isEmpty();
    LogEvent whole = journal.events(1, 2, 9, 19).get(0);
    Entry entry = journal.entries(1, 2, 1).get(0);
    assertThat(whole.body().orElseThrow()).isEqualTo(entry.body()).hasSize(19);
    assertThat(whole.hash()).isEqualTo(entry.hash());
    assertThat(whole.at()).isEqualTo(entry.at());
    List<LogEvent> large = journal.events(1, 2, 9, 18);
    assertThat(large).extracting(LogEvent::generation).containsExactly(3L);
    assertThat(large.get(0).body()).isEmpty();
    assertThat(large.get(0).bytes()).isEqualTo(19);
  }

  /** Fleets 1 and 3 have a name in common; the first one is gone. */
  static void knowsWhichFleetIsTheFirstOfItsName(Journal journal) throws StoreException {
    Head first = fill(journal, 1, 1);
    assertThat(journal.isFirst("f1", 1)).isTrue();
    assertThat(journal.isFirst("f1", 2)).isFalse();
    assertThat(journal.isFirst("f2", 2)).isTrue();
    Entry end = entry(1, 2, null, first.hash());
    journal.append(first, List.of(end), new Head(1, "f1", 2, end.hash(), true));
    fill(journal, 2, 1);
    Entry begin = entry(3, 1, null, Entry.beginning());
    journal.append(null, List.of(begin), new Head(3, "f1", 1, begin.hash(), false));
    assertThat(journal.isFirst("f1", 1)).isTrue();
    assertThat(journal.isFirst("f2", 2)).isTrue();
    assertThat(journal.isFirst("f1", 3)).isFalse();
  }

  /** A store that has gone back may have a fleet that was gone before. */
  static void forgetsGoneFleetsAlone(Journal journal) throws StoreException {
    Head head = fill(journal, 1, 3);
    journal.save(saved(journal, 2), NOTHING_MAY_GO);
    journal.forget(1);
    assertThat(journal.entries(1, 0, 9)).hasSize(3);
    assertThat(journal.snapshots(1)).hasSize(1);
    Entry end = entry(1, 4, null, head.hash());
    journal.append(head, List.of(end), new Head(1, "f1", 4, end.hash(), true));
    journal.forget(1);
    assertThat(journal.entries(1, 0, 9)).isEmpty();
    assertThat(journal.oldest(1)).isEmpty();
    assertThat(journal.snapshots(1)).isEmpty();
  }

  static void refusesAGroupBehindAnotherEndAndKeepsNothingOfIt(Journal journal)
      throws StoreException {
    Head head = fill(journal, 1, 3);
    Entry fourth = entry(1, 4, null, head.hash());
    Head after = new Head(1, "f1", 4, fourth.hash(), false);
    Head stale = new Head(1, "f1", 2, head.hash(), false);
    assertThatThrownBy(() -> journal.append(stale, List.of(fourth), after))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("not at generation 2");
    assertThat(journal.entries(1, 3, 9)).isEmpty();
    journal.append(head, List.of(fourth), after);
    assertThat(journal.head(1).orElseThrow().generation()).isEqualTo(4);
  }
}
