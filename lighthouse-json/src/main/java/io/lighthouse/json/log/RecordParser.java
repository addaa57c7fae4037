package io.lighthouse.json.log;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.Plural;
import io.lighthouse.json.Problem;
import io.lighthouse.json.problem.ProblemParser;
import io.lighthouse.json.token.ObjectMembers;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonToken;

/** Reads one record of a decision. For one use, in one thread. */
final class RecordParser {
  private static final List<String> ALL =
      List.of("lighthouse_record", "made_by", "options", "problem", "answer", "lines", "decision");

  /** What a record is, for messages. */
  static final String RECORD = "a record of a decision";

  private static final ObjectMembers.Form FORM = ObjectMembers.Form.of(ALL);

  private final Tokens tokens;
  private final Values values;

  private int format;
  private Map<String, String> madeBy;
  private Set<String> options = Set.of();
  private Problem problem;
  private Map<String, Optional<String>> answer;
  private List<String> lines;
  private String decision;

  RecordParser(Tokens tokens) {
    this.tokens = tokens;
    this.values = new Values(tokens);
  }

  /** Reads the record that is the current token; the document is made by {@link #document}. */
  RecordParser read() {
    if (tokens.isObject(RECORD)) {
      readTop();
    }
    return this;
  }

  /** Makes the record; nothing may be wrong so far. */
  RecordDocument document() {
    DecisionRecord record =
        new DecisionRecord(
            madeBy, options.contains(DecisionRecord.ALL_OR_NOTHING), problem, assignments());
    return new RecordDocument(record, alterations(record));
  }

  private void readTop() {
    ObjectMembers object = new ObjectMembers(tokens, FORM);
    String word;
    while ((word = tokens.nextName()) != null) {
      if (!object.has("lighthouse_record") && ProblemParser.isMember(word)) {
        throw tokens.wrongSort("a problem", RECORD + ", as lighthouse assign --record writes it");
      }
      if (object.takes(word)) {
        readMember(word);
      }
    }
    ALL.forEach(member -> object.requireIfSound(member, "a member of every record"));
    if (object.has("lighthouse_record") && format != DecisionRecord.FORMAT) {
      object.wrong("lighthouse_record", String.valueOf(format), "" + DecisionRecord.FORMAT);
    }
    if (object.has("options") && options != null) {
      for (String option : options) {
        if (!option.equals(DecisionRecord.ALL_OR_NOTHING)) {
          object.wrong("options", "'" + option + "'", DecisionRecord.ALL_OR_NOTHING);
        }
      }
    }
  }

  private void readMember(String word) {
    switch (word) {
      case "lighthouse_record" -> format = values.wholeNumber(1);
      case "made_by" -> madeBy = values.settings();
      case "options" -> options = values.names("options");
      case "problem" ->
          problem = new ProblemParser(tokens, ProblemParser.Form.PROBLEM, List.of()).readInside();
      case "answer" -> readAnswer();
      case "lines" -> {
        tokens.next();
        lines = values.list("an array of digests", this::line);
      }
      default -> decision = values.ownName("64 hexadecimal digits");
    }
  }

  private void readAnswer() {
    answer = new LinkedHashMap<>();
    tokens.next();
    if (!tokens.isObject("an object of workloads, each with its node or null")) {
      return;
    }
    String name;
    while ((name = tokens.nextName()) != null) {
      if (answer.containsKey(name)) {
        tokens.wrongMember("given twice", "each workload once");
        continue;
      }
      if (tokens.next() == JsonToken.VALUE_NULL) {
        answer.put(name, Optional.empty());
      } else if (tokens.isText()) {
        answer.put(name, Optional.of(tokens.string()));
      } else {
        tokens.wrong("the name of a node, or null");
      }
    }
  }

  private String line() {
    if (tokens.isText()) {
      return tokens.string();
    }
    tokens.wrong("eight hexadecimal digits");
    return null;
  }

  private Assignments assignments() {
    String[] names = answer.keySet().toArray(String[]::new);
    String[] nodes = answer.values().stream().map(on -> on.orElse(null)).toArray(String[]::new);
    return Assignments.of(names, nodes, List.of());
  }

  /** What does not agree with its digest. */
  private List<String> alterations(DecisionRecord record) {
    List<String> found = new ArrayList<>();
    List<String> named = problem.workloads().stream().map(Workload::name).toList();
    if (!named.equals(List.copyOf(answer.keySet()))) {
      found.add("the answer is not about the workloads of the problem, in their order");
    }
    LineDigests digests = record.canonical();
    boolean sound = digests.whole().equals(decision);
    List<String> wanted = new ArrayList<>();
    wanted.add(LineDigests.ofLine(record.madeByLine()));
    wanted.addAll(digests.lines());
    if (wanted.size() != lines.size()) {
      found.add(Plural.of(lines.size(), "digest") + " for " + Plural.of(wanted.size(), "line"));
    }
    for (int i = 0; i < Math.min(wanted.size(), lines.size()); i++) {
      if (!wanted.get(i).equals(lines.get(i))) {
        String digest = " has the digest " + wanted.get(i) + ", on record " + lines.get(i);
        found.add(line(i, wanted.size(), digests) + digest + blame(i, sound));
      }
    }
    if (!sound) {
      String more = found.isEmpty() ? "; all lines agree with theirs, so it is the hash" : "";
      found.add("the hash is " + digests.whole() + ", on record " + decision + more);
    }
    return found;
  }

  /** Which of the two was altered, where that is known. */
  private static String blame(int line, boolean sound) {
    return sound && line > 0 ? "; the hash agrees with the line, so it is the digest" : "";
  }

  private static String line(int index, int count, LineDigests digests) {
    if (index == 0) {
      return "made_by";
    }
    String begins = digests.beginnings().get(index - 1);
    if (index == 1) {
      return "the line of options";
    }
    return index == count - 1 ? "the answer" : "line " + (index - 1) + " of the problem, " + begins;
  }
}
