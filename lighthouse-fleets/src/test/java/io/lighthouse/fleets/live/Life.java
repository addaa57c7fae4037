package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.Recorded;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.PlacedWorkload;
import io.lighthouse.json.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The life of one fleet on a store, with clients, crashes and a model that believes nothing but the
 * answers. The model shares no code with what it judges: it reads the answers' text, and adds up in
 * whole numbers.
 */
final class Life {
  private static final Pattern PAIR = Pattern.compile("\"([a-z0-9-]+)\":\"(n[0-9]+)\"");
  private static final Pattern NODE =
      Pattern.compile("\\{\"name\":\"(n[0-9]+)\",\"resources\":\\{\"cpu\":(-?[0-9]+)\\}");
  private static final Pattern WORKLOAD = Pattern.compile("\"name\":\"(w-[0-9]+)\"");
  private static final List<String> STRATEGIES =
      List.of("prioritized", "round-robin", "bin-pack", "spread");

  /** A call of a client, and its answer. */
  private static final class Asked {
    final FleetCall call;
    final String what;
    final String about;
    final CompletableFuture<Answer> reply;

    Asked(FleetCall call, String what, String about, CompletableFuture<Answer> reply) {
      this.call = call;
      this.what = what;
      this.about = about;
      this.reply = reply;
    }
  }

  private final Random dice;
  private final MemoryJournal store;
  private final Runnable crash;
  private Steps steps;
  private Fleets fleets;

  private final List<Asked> outstanding = new ArrayList<>();

  /** By generation: what the answers say was done there. */
  private final TreeMap<Long, String> told = new TreeMap<>();

  /** By key: the first answer. */
  private final Map<String, byte[]> answers = new TreeMap<>();

  /** Calls with keys, to be repeated. */
  private final List<Asked> keyed = new ArrayList<>();

  /** How many calls may have been done without an answer that says so. */
  private int unknown;

  private final int clockSkew;
  private int workloads;
  private int nodes = 3;

  Life(long seed, MemoryJournal store, Runnable crash) {
    this.dice = new Random(seed * 31 + 7);
    this.store = store;
    this.crash = crash;
    this.clockSkew = dice.nextInt(200_000_000) - 100_000_000;
  }

  private void open() throws StoreException {
    steps = new Steps();
    FleetLimits limits =
        FleetLimits.STANDARD.withTurns(1 + dice.nextInt(6), 1_000, FleetLimits.STANDARD.decision());
    fleets =
        new Fleets(
            store,
            Engine::of,
            limits,
            FleetObserver.NONE,
            Clock.offset(Clock.systemUTC(), Duration.ofMillis(clockSkew)),
            steps,
            dice.nextInt(3) == 0 ? 400 : 1 << 20);
  }

  /**
   * Runs {@code length} steps, in which the store may fail. Then stops the failures and checks the
   * result.
   */
  void live(int length, Runnable calm) throws StoreException {
    open();
    String strategy = STRATEGIES.get(dice.nextInt(STRATEGIES.size()));
    Problem problem =
        Engine.problem(
            "{'strategy':'"
                + strategy
                + "','rubric':{'cpu':1},'nodes':["
                + "{'name':'n1','resources':{'cpu':8}},{'name':'n2','resources':{'cpu':5}},"
                + "{'name':'n3','resources':{'cpu':9}}],'workloads':[]}");
    create(problem);
    for (int step = 0; step < length; step++) {
      int calls = 1 + dice.nextInt(5);
      for (int i = 0; i < calls; i++) {
        ask();
      }
      steps.go();
      hear();
      if (dice.nextInt(8) == 0) {
        crash.run();
        reopen();
      }
    }
    calm.run();
    judge();
  }

  /** As a new process would; a start that fails is tried again. */
  private void reopen() {
    for (int attempt = 0; ; attempt++) {
      try {
        open();
        return;
      } catch (StoreException failed) {
        assertThat(attempt).isLessThan(100);
      }
    }
  }

  private void create(Problem problem) {
    for (int attempt = 0; attempt < 100; attempt++) {
      try {
        CompletableFuture<Answer> created = fleets.create("f", problem, "", false);
        steps.go();
        created.join();
        return;
      } catch (FleetException | CompletionException failed) {
        // The store failed: again.
      }
    }
    throw new AssertionError("never created");
  }

  private void ask() {
    int choice = dice.nextInt(12);
    if (choice == 0 && !keyed.isEmpty()) {
      Asked again = keyed.get(dice.nextInt(keyed.size()));
      send(again.call, again.what, again.about);
    } else if (choice < 7) {
      List<Workload> batch = new ArrayList<>();
      for (int i = 0; i <= dice.nextInt(3); i++) {
        batch.add(workload());
      }
      boolean all = dice.nextBoolean();
      Command command =
          all
              ? FleetCommands.assign(batch)
              : FleetCommands.tryAssign(batch, dice.nextBoolean(), Recorded.NOT);
      send(keyed(command, "assign " + batch.get(0).name()), "assign", "");
    } else if (choice < 9) {
      String name = "w-" + dice.nextInt(workloads + 1);
      send(keyed(FleetCommands.release(List.of(name)), "release " + name), "release", name);
    } else if (choice == 9) {
      String node = "n" + (1 + dice.nextInt(nodes + 1));
      nodes = Math.max(nodes, Integer.parseInt(node.substring(1)));
      Node wanted = Node.of(node, Resources.of("cpu", 4 + dice.nextInt(8)));
      send(keyed(NodeCommands.put(wanted), "put " + node), "node", node);
    } else if (choice == 10) {
      PlacedWorkload one = new PlacedWorkload(workload(), Optional.of("n1"));
      send(FleetCall.of(FleetCommands.put(one)), "put", one.workload().name());
    } else {
      send(FleetCall.of(FleetQuestions.summary()), "ask", "");
    }
  }

  private Workload workload() {
    return Workload.of("w-" + workloads++, Resources.of("cpu", 1 + dice.nextInt(4)));
  }

  private FleetCall keyed(Command command, String request) {
    FleetCall call = FleetCall.of(command);
    return dice.nextInt(3) == 0
        ? call.withKey("k" + dice.nextInt(1_000_000), request.getBytes(StandardCharsets.UTF_8))
        : call;
  }

  private void send(FleetCall call, String what, String about) {
    Asked asked = new Asked(call, what, about, fleets.submit("f", call));
    outstanding.add(asked);
    if (call.key().isPresent()) {
      keyed.add(asked);
    }
  }

  /** Every call has been answered when the steps are done. */
  private void hear() {
    for (Asked asked : outstanding) {
      assertThat(asked.reply).as(asked.what).isDone();
      try {
        hear(asked, asked.reply.join());
      } catch (CompletionException refused) {
        if (refused.getCause() instanceof FleetException why) {
          assertThat(why.kind()).isNotIn(Kind.DAMAGED, Kind.KEY_REUSED, Kind.NO_SUCH_FLEET);
          unknown += why.kind() == Kind.OUTCOME_UNKNOWN ? 1 : 0;
        } else if (!(refused.getCause() instanceof io.lighthouse.api.error.InvalidInputException)) {
          throw refused;
        }
      }
    }
    outstanding.clear();
  }

  private void hear(Asked asked, Answer answer) {
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    String key = asked.call.key().map(FleetCall.Key::key).orElse(null);
    boolean changed =
        switch (asked.what) {
          case "assign" -> !pairs(text).isEmpty();
          case "put" -> answer.outcome() == Outcome.CREATED;
          case "release" -> true;
          default -> false;
        };
    if (key != null && changed) {
      byte[] first = answers.putIfAbsent(key, answer.body());
      if (first != null) {
        assertThat(Arrays.equals(first, answer.body())).as("the same answer to %s", key).isTrue();
      }
    }
    if (changed) {
      String said =
          switch (asked.what) {
            case "assign" -> "assign " + pairs(text);
            case "put" -> "assign " + asked.about + "=n1";
            default -> "release " + asked.about;
          };
      String before = told.putIfAbsent(answer.generation(), said);
      assertThat(before == null || before.equals(said))
          .as("generation %s is one thing: %s, %s", answer.generation(), before, said)
          .isTrue();
    }
  }

  /** What an answer says was assigned. */
  private static String pairs(String text) {
    StringBuilder pairs = new StringBuilder();
    int from = text.indexOf("\"assignments\":{");
    Matcher matcher = PAIR.matcher(text.substring(from, text.indexOf('}', from)));
    while (matcher.find()) {
      pairs.append(matcher.group(1)).append('=').append(matcher.group(2)).append(' ');
    }
    return pairs.toString().strip();
  }

  /** What the store holds at the end against what the answers said on the way. */
  private void judge() throws StoreException {
    String live = problem();
    crash.run();
    reopen();
    assertThat(problem()).as("what is recovered is what was").isEqualTo(live);
    assertThat(new Verification(store, Engine::of).verify())
        .allSatisfy(found -> assertThat(found.faults()).isEmpty());
    judgePlacements(live);
    for (Asked again : keyed) {
      byte[] first = answers.get(again.call.key().orElseThrow().key());
      if (first != null) {
        CompletableFuture<Answer> reply = fleets.submit("f", again.call);
        steps.go();
        assertThat(reply.join().body()).as("after all, the same answer").isEqualTo(first);
        assertThat(reply.join().replayed()).isTrue();
      }
    }
  }

  private void judgePlacements(String problem) {
    // By workload: the node that the answers, in the order of their generations, leave it on.
    Map<String, String> where = new TreeMap<>();
    for (String said : told.values()) {
      String[] words = said.split(" ");
      for (int i = 1; i < words.length; i++) {
        if (words[0].equals("release")) {
          assertThat(where.remove(words[i]) != null || unknown > 0).as(said).isTrue();
        } else {
          String[] pair = words[i].split("=");
          assertThat(where.put(pair[0], pair[1])).as("placed twice: %s", said).isNull();
        }
      }
    }
    Map<String, String> found = new TreeMap<>();
    for (String line : problem.split("\n")) {
      Matcher node = NODE.matcher(line);
      if (node.find()) {
        Matcher on = WORKLOAD.matcher(line);
        while (on.find()) {
          assertThat(found.put(on.group(1), node.group(1))).as("on two nodes").isNull();
        }
      }
    }
    if (unknown == 0) {
      assertThat(found).isEqualTo(where);
    } else {
      // Calls of unknown outcome may have placed or released workloads, but never moved one.
      found.forEach(
          (workload, node) -> assertThat(where.getOrDefault(workload, node)).isEqualTo(node));
    }
  }

  private String problem() {
    Problem[] taken = new Problem[1];
    CompletableFuture<Answer> reply =
        fleets.submit("f", FleetCall.of(FleetQuestions.problem(problem -> taken[0] = problem)));
    steps.go();
    reply.join();
    return new String(Recovery.json(taken[0]), StandardCharsets.UTF_8);
  }
}
