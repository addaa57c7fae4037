package io.lighthouse.cli.command;

import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.KubernetesOptions;
import io.lighthouse.cli.option.NumberOption;
import io.lighthouse.cli.option.TimeOption;
import io.lighthouse.cli.option.WrongOption;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.kubernetes.plan.KubernetesPlan;
import io.lighthouse.picture.FleetText;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Makes a plan for a live cluster, and carries it out with {@code --evict}. */
@Command(
    name = "plan",
    description = {
      "Plan which pods of a cluster would go where; carry it out by evictions with --evict alone.",
      "",
      "  drain NODE...   empty these nodes, each wholly or not at all",
      "  consolidate     free as many nodes as can be",
      "",
      "Pods of daemon sets, mirror pods and pods that are ending belong to their nodes."
    },
    footer = {
      "",
      "With --evict the nodes that become free are cordoned, and the pods evicted one after the"
          + " other, within disruption budgets; each time the pod's replacement is waited for, whose"
          + " node the cluster's scheduler chooses. Nodes stay cordoned.",
      "",
      "Exit codes: 0 done, 1 the goal is not reached in full or it stopped before the end, 2 wrong"
          + " use, or the cluster cannot be read.",
      "",
      "Examples:",
      "  lighthouse kubernetes plan drain n1 n2 --kubeconfig ~/.kube/config",
      "  lighthouse kubernetes plan drain topology.kubernetes.io/zone=b --evict",
      "  lighthouse kubernetes plan consolidate --max-moves 20 --evict"
    },
    sortOptions = false)
final class KubernetesPlanCommand implements Callable<Integer> {
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofHours(24);

  /** The subject of mistakes in what was typed, as in {@link KubernetesPlan.Request}. */
  private static final String SUBJECT = "plan of a cluster";

  @ParentCommand private KubernetesCommand parent;

  @Spec private CommandSpec command;

  @Parameters(
      index = "0",
      paramLabel = "GOAL",
      description = "What is to be reached: drain or consolidate.")
  private String goal;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "NODE",
      description = "The nodes to drain, or those of a label: KEY=VALUE.")
  private List<String> places = List.of();

  @Mixin private KubernetesOptions cluster;
  @Mixin private AnswerOption output;

  @Option(
      names = "--max-moves",
      paramLabel = "N",
      converter = NumberOption.Count.class,
      description = "The most pods that are moved.")
  private Integer mostMoves;

  @Option(
      names = "--pin",
      paramLabel = "NAMESPACE/POD",
      description = "This pod stays where it is. May be repeated.")
  private List<String> pinned = List.of();

  @Option(
      names = "--avoid",
      paramLabel = "NODE",
      description = "No pod is moved to this node. May be repeated.")
  private List<String> avoided = List.of();

  @Option(
      names = "--force",
      description = "Pods that no controller would bring back may go, too: for good.")
  private boolean unmanaged;

  @Option(
      names = "--delete-emptydir-data",
      description = "Pods with emptyDir volumes may go, and what is in these is lost.")
  private boolean emptyDirs;

  @Option(names = "--evict", description = "Carry the plan out.")
  private boolean evict;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "5m",
      converter = TimeOption.class,
      description = "The longest wait at each step of each pod (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  @Override
  public Integer call() throws Exception {
    Terminal terminal = parent.terminal();
    KubernetesPlan plan;
    try {
      if (timeout.compareTo(LEAST) < 0 || timeout.compareTo(MOST) > 0) {
        String typed =
            command
                .commandLine()
                .getParseResult()
                .matchedOption("--timeout")
                .originalStringValues()
                .get(0);
        throw new InvalidInputException(SUBJECT, "--timeout", typed, "1s to 24h");
      }
      plan = KubernetesPlan.make(cluster.kubeconfig(), cluster.context(), request());
    } catch (InvalidInputException wrong) {
      throw WrongOption.of(command, wrong.subject().equals(SUBJECT), wrong);
    } catch (IOException unreachable) {
      terminal.complain("kubernetes plan", unreachable.getMessage());
      return ExitCode.FAILED;
    }
    plan.remarks().forEach(terminal::warn);
    PlanPage.write("the cluster", plan.plan(), output, terminal);
    int code = plan.plan().unmet().isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
    return evict ? Math.max(code, carryOut(plan, terminal)) : code;
  }

  private KubernetesPlan.Request request() {
    PlanLimits limits =
        PlanLimits.NONE.withPinned(new HashSet<>(pinned)).withAvoided(new HashSet<>(avoided));
    return new KubernetesPlan.Request(
        goal,
        places,
        mostMoves == null ? limits : limits.withMoves(mostMoves),
        unmanaged,
        emptyDirs);
  }

  private int carryOut(KubernetesPlan plan, Terminal terminal) throws InterruptedException {
    KubernetesPlan.Outcome outcome;
    try {
      outcome = plan.carryOut(timeout, line -> tell(terminal, line));
    } catch (IOException refused) {
      terminal.complain("kubernetes plan", refused.getMessage());
      return ExitCode.FAILED;
    }
    tell(
        terminal,
        outcome.evicted()
            + " of "
            + Plural.of(outcome.moves(), "pod")
            + " evicted"
            + (plan.freed().isEmpty() ? "" : "; cordoned: " + String.join(", ", plan.freed())));
    outcome.stopped().ifPresent(why -> terminal.complain("kubernetes plan", "stopped: " + why));
    return outcome.stopped().isPresent() ? ExitCode.REFUSED : ExitCode.DONE;
  }

  /** A line of what is done, on the output where that is for people, else beside it. */
  private void tell(Terminal terminal, String line) {
    if (output.isTable()) {
      try {
        terminal.say(FleetText.printable(line));
        return;
      } catch (IOException closed) {
        // The reader has gone; the line goes beside.
      }
    }
    terminal.err().println(FleetText.printable(line));
  }
}
