package io.lighthouse.json.write;

import io.lighthouse.api.Change;
import io.lighthouse.api.Reason;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.advice.Remedies.Kind;
import io.lighthouse.api.advice.Remedies.Remedy;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.json.read.ProblemReader;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Writes remedies. The members are {@code prospect} ({@code fits}, {@code not-now} or {@code
 * never}), {@code remedies}, and {@code waits} as reasons. A remedy has {@code kind}, {@code node},
 * {@code cost}, {@code exact}, and {@code changes} in the form that {@link
 * ProblemReader#readChanges} reads. One that cuts also has the new {@code requirements} of the
 * workload; one that tolerates or is combined also has its new {@code immunities}.
 */
public final class RemedyWriter {
  private RemedyWriter() {}

  /**
   * Writes the members of an answer.
   *
   * @param json where to
   * @param remedies the answer
   */
  public static void write(AnswerWriter json, Remedies remedies) {
    json.member("prospect", word(remedies.prospect()));
    json.objects("remedies", remedies.remedies(), RemedyWriter::write);
    json.reasons("waits", remedies.waits());
  }

  /**
   * Writes the same with a text for people: {@code words} of the prospect, each remedy and each
   * reason.
   *
   * @param json where to
   * @param remedies the answer
   * @param ofProspect words a prospect
   * @param ofRemedy words a remedy
   * @param ofReason words a reason
   */
  public static void write(
      AnswerWriter json,
      Remedies remedies,
      Function<Remedies.Prospect, String> ofProspect,
      Function<Remedy, String> ofRemedy,
      Function<Reason, String> ofReason) {
    json.member("prospect", word(remedies.prospect()));
    json.member(AnswerWriter.WORDS, ofProspect.apply(remedies.prospect()));
    json.objects(
        "remedies",
        remedies.remedies(),
        (inside, remedy) -> {
          write(inside, remedy);
          inside.member(AnswerWriter.WORDS, ofRemedy.apply(remedy));
        });
    json.reasons("waits", remedies.waits(), ofReason);
  }

  /**
   * Writes shortages, each with {@code resources}, {@code workloads} and {@code more}.
   *
   * @param json where to
   * @param name the name of the member
   * @param shortages the shortages
   */
  public static void write(AnswerWriter json, String name, List<Shortage> shortages) {
    json.objects(
        name,
        shortages,
        (inside, one) ->
            inside
                .names("resources", one.resources())
                .names("workloads", one.workloads())
                .member("more", one.more()));
  }

  /**
   * The word for a kind or a prospect.
   *
   * @param value the value
   * @return such as {@code not-now}
   */
  public static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static void write(AnswerWriter json, Remedy remedy) {
    json.member("kind", word(remedy.kind())).member("node", remedy.node());
    json.member("cost", remedy.cost()).member("exact", remedy.exact());
    if (remedy.kind() == Kind.CUT) {
      json.member("requirements", remedy.workload().requirements());
    }
    if (remedy.kind() == Kind.TOLERATE || remedy.kind() == Kind.COMBINED) {
      json.names("immunities", remedy.workload().immunities());
    }
    json.objects("changes", remedy.changes(), RemedyWriter::write);
  }

  private static void write(AnswerWriter json, Change change) {
    change.match(new ChangeMembers(json));
  }

  /** Writes the members of a change that a remedy can have. */
  private record ChangeMembers(AnswerWriter json) implements Change.SomeCases<AnswerWriter> {
    @Override
    public AnswerWriter uncordon(Change.Uncordon uncordon) {
      return json.member("change", "uncordon").member("node", uncordon.node());
    }

    @Override
    public AnswerWriter cordonDomain(Change.CordonDomain open) {
      json.member("change", "uncordon");
      return json.member("level", open.level()).member("domain", open.domain());
    }

    @Override
    public AnswerWriter resize(Change.Resize resize) {
      json.member("change", "resize").member("node", resize.node());
      return json.member("resources", resize.capacity());
    }

    @Override
    public AnswerWriter declare(Change.Declare declare) {
      json.member("change", "declare").member("level", declare.domain().level());
      json.member("domain", declare.domain().name());
      return json.member("resources", declare.domain().resources());
    }

    @Override
    public AnswerWriter resizeDomain(Change.ResizeDomain resize) {
      json.member("change", "resize-domain").member("level", resize.level());
      return json.member("domain", resize.domain()).member("resources", resize.capacity());
    }

    @Override
    public AnswerWriter move(Change.Move move) {
      json.member("change", "move").member("workload", move.workload());
      return json.member("to", move.to());
    }

    @Override
    public AnswerWriter release(Change.Release release) {
      return json.member("change", "release").member("workload", release.workload());
    }

    @Override
    public AnswerWriter other(Change other) {
      throw new IllegalArgumentException("no remedy has the change " + other);
    }
  }
}
