package io.lighthouse.fleets.live;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.AnswerRoom;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.write.AnswerWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Ends calls: makes the bodies of their answers, within their room, and refuses them. */
final class Replies {
  /** How long a refusal waits that finds no memory. */
  private static final long PAUSE_NANOS = 50_000_000;

  private Replies() {}

  /**
   * The body of an answer, within the room of its call; {@code kept} if it is needed in any case.
   */
  static byte[] body(
      Command.Reply reply, long generation, boolean dryRun, AnswerRoom room, boolean kept) {
    if (reply.members() == null) {
      return new byte[0];
    }
    ByteArrayOutputStream out =
        new ByteArrayOutputStream(256) {
          @Override
          public void write(byte[] source, int offset, int length) {
            if (!room.take(length, kept) && !kept) {
              throw noRoom();
            }
            super.write(source, offset, length);
          }
        };
    try {
      AnswerWriter.write(
          out,
          json -> {
            reply.members().accept(json);
            json.member("generation", generation);
            if (dryRun) {
              json.member("dry_run", true);
            }
          });
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }

  /**
   * Throws if the entry of an earlier call was altered: recovery has not read it where it is from
   * before the snapshot. Nothing is checked where the log has lost the entry before it.
   */
  static void requireUnaltered(Entry earlier, Recovery.Log log) throws StoreException {
    long before = earlier.generation() - 1;
    for (Entry one : log.entries(before - 1, 1)) {
      if (one.generation() == before && !earlier.follows(one.hash())) {
        throw new FleetException(
            Kind.DAMAGED,
            "the call was answered before, and is not answered again: its entry "
                + earlier.generation()
                + " or the one before it was altered");
      }
    }
  }

  /** The answer to an earlier call, for a repetition of it. */
  static Answer replayed(FleetCall call, Entry earlier, long life, FleetObserver observer) {
    if (!call.room().take(earlier.answer().length, false)) {
      throw noRoom();
    }
    observer.replayed();
    return new Answer(
        Outcome.of(earlier.status()), earlier.answer(), earlier.generation(), life, true);
  }

  private static FleetException noRoom() {
    return new FleetException(
        Kind.OVERLOAD, "the answer is larger than there is room for now; try again");
  }

  /**
   * Fails an answer. Where memory is lacking for that, waits until there is some: nothing else
   * would end the call. What follows the answer may fail, and fails no other call.
   */
  static void refuse(CompletableFuture<?> answer, Throwable why) {
    while (!answer.isDone()) {
      try {
        answer.completeExceptionally(why);
      } catch (RuntimeException | Error failed) {
        awaitMemory();
      }
    }
  }

  /** Waits a moment, in which memory may become free. */
  static void awaitMemory() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }
}
