package io.lighthouse.cli.command;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.file.SavedFile;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.OutPath;
import io.lighthouse.cli.option.PluginOptions;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.core.Distributors;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.live.Fleets;
import io.lighthouse.fleets.live.Verification;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Stores;
import io.lighthouse.json.Limits;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemDistributor;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.StrategyWords;
import io.lighthouse.json.read.FleetReader;
import io.lighthouse.json.write.AnswerWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Looks after the store in which the service keeps fleets. */
@Command(
    name = "fleets",
    description = "Look after the file or database in which serve --store keeps fleets.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      FleetsCommand.Verify.class,
      FleetsCommand.Export.class,
      FleetsCommand.Import.class,
      FleetsCommand.Backup.class
    },
    footer = {
      "",
      "STORE is a file, or jdbc:postgresql://HOST/DATABASE?user=NAME for a database of PostgreSQL.",
      "verify, export and backup only read, also while a service writes. import needs a file for"
          + " itself; while a service has it, send the fleet there with PUT. A database is shared."
          + " backup is for files; a database is backed up with pg_dump.",
      "",
      FleetsCommand.EXIT_CODES,
      "",
      "Examples:",
      "  lighthouse fleets verify fleets.db",
      "  lighthouse fleets export --out prod.json fleets.db prod",
      "  lighthouse fleets import other.db prod prod.json",
      "  lighthouse fleets backup --out copy.db fleets.db",
      "  lighthouse fleets verify 'jdbc:postgresql://127.0.0.1/fleets?user=lighthouse'"
    })
public final class FleetsCommand implements Runnable {
  static final String EXIT_CODES =
      "Exit codes: 0 done and sound, 1 something in the store is damaged, 2 wrong use, or the store"
          + " cannot be used.";

  private final Terminal terminal;

  @Spec private CommandSpec command;

  public FleetsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(),
        "what is to be done? give one of " + String.join(", ", command.subcommands().keySet()));
  }

  /** Checks a store. */
  @Command(
      name = "verify",
      description =
          "Check every hash, every snapshot against its log, and that all can be recovered.",
      footer = {"", EXIT_CODES})
  static final class Verify implements Callable<Integer> {
    @ParentCommand private FleetsCommand fleets;
    @Mixin private PluginOptions plugins;
    @Mixin private AnswerOption output;

    @Parameters(paramLabel = "STORE", description = "The file, or the URL of the database.")
    private String store;

    @Override
    public Integer call() throws IOException {
      return fleets.reading("verify", store, this::verify);
    }

    private int verify(Journal journal) throws StoreException, IOException {
      List<Verification.Found> all = new Verification(journal, fleets.engine(plugins)).verify();
      List<String> ofStore = journal.check();
      if (output.isTable()) {
        print(all, ofStore);
      } else {
        output.write(fleets.terminal, json -> write(json, all, ofStore), () -> rows(all, ofStore));
      }
      boolean sound = ofStore.isEmpty() && all.stream().allMatch(found -> found.faults().isEmpty());
      return sound ? ExitCode.DONE : ExitCode.REFUSED;
    }

    private void print(List<Verification.Found> all, List<String> ofStore) throws IOException {
      for (Verification.Found found : all) {
        String is = found.faults().isEmpty() ? "sound" : "damaged";
        fleets.terminal.say(
            found.name()
                + ": generation "
                + found.generation()
                + ", "
                + Plural.of(found.entries(), "entry")
                + " carried out, "
                + is);
        for (String fault : found.faults()) {
          fleets.terminal.say("  " + fault);
        }
      }
      for (String fault : ofStore) {
        fleets.terminal.say("the store: " + fault);
      }
    }

    private static void write(
        AnswerWriter json, List<Verification.Found> all, List<String> ofStore) {
      json.objects(
          "fleets",
          all,
          (inside, found) ->
              inside
                  .member("name", found.name())
                  .member("generation", found.generation())
                  .member("entries", found.entries())
                  .names("faults", found.faults()));
      json.names("faults", ofStore);
    }

    /** A row for each fleet, and for each further fault; those of the store have no fleet. */
    private static List<List<String>> rows(List<Verification.Found> all, List<String> ofStore) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("fleet", "generation", "entries", "fault"));
      for (Verification.Found found : all) {
        String generation = String.valueOf(found.generation());
        String entries = String.valueOf(found.entries());
        List<String> faults = found.faults().isEmpty() ? List.of("") : found.faults();
        faults.forEach(fault -> rows.add(List.of(found.name(), generation, entries, fault)));
      }
      ofStore.forEach(fault -> rows.add(List.of("", "", "", fault)));
      return rows;
    }
  }

  /** Prints a fleet. */
  @Command(
      name = "export",
      description = "Print a fleet as a problem, in JSON, or write it to a file.",
      footer = {"", EXIT_CODES})
  static final class Export implements Callable<Integer> {
    @ParentCommand private FleetsCommand fleets;
    @Mixin private PluginOptions plugins;

    @Parameters(paramLabel = "STORE", description = "The file, or the URL of the database.")
    private String store;

    @Parameters(paramLabel = "FLEET", description = "The name of the fleet.")
    private String fleet;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        converter = OutPath.class,
        description = "Write the problem to this file (default: standard output).")
    private Path out;

    @Override
    public Integer call() throws IOException {
      return fleets.reading(
          "export",
          store,
          journal -> {
            if (out != null) {
              checkIsNotOfStore(out, store);
            }
            Problem problem = new Verification(journal, fleets.engine(plugins)).export(fleet);
            SavedFile.saveOrPrint(problem, out, fleets.terminal);
            return ExitCode.DONE;
          });
    }
  }

  /** Creates a fleet. */
  @Command(
      name = "import",
      description = "Create a fleet from a problem without workloads to place.",
      footer = {"", EXIT_CODES})
  static final class Import implements Callable<Integer> {
    @ParentCommand private FleetsCommand fleets;
    @Mixin private PluginOptions plugins;

    @Parameters(
        paramLabel = "STORE",
        description = "The file, made where it is not there, or the URL of the database.")
    private String store;

    @Parameters(paramLabel = "FLEET", description = "The name of the fleet.")
    private String fleet;

    @Parameters(
        paramLabel = "FILE",
        description = "A problem in JSON or YAML, gzipped or not; - is standard input.")
    private String file;

    @Override
    public Integer call() throws IOException {
      FleetFile problem = new FleetFile(file);
      try {
        Fleets.checkName(fleet);
        return create(read(problem));
      } catch (ProblemFormatException | FleetFile.UnreadableException wrong) {
        fleets.terminal.complain(problem.title(), wrong.getMessage());
        return ExitCode.FAILED;
      } catch (StoreException | FleetException | InvalidInputException refused) {
        return fleets.fail("import", refused);
      } catch (CompletionException refused) {
        return fleets.fail("import", refused.getCause());
      }
    }

    private Problem read(FleetFile problem) {
      try (Progress progress = new Progress(fleets.terminal)) {
        return problem
            .read(fleets.terminal, progress, new FleetReader(Limits.WRITTEN)::fleet)
            .problem();
      }
    }

    private int create(Problem wanted) throws StoreException, IOException {
      int most = Integer.MAX_VALUE;
      FleetEngine engine = fleets.engine(plugins);
      // Made once, and first: a fleet that cannot be is refused before a file is made.
      Distributor made = engine.create(wanted);
      try (Fleets live =
          Fleets.open(
              Stores.open(store),
              FleetEngine.of(same -> made, engine::recover),
              FleetLimits.STANDARD.withSizes(most, most, most),
              FleetObserver.NONE,
              Clock.systemUTC(),
              Runnable::run)) {
        Answer answer = live.create(fleet, wanted, "", false).join();
        fleets.terminal.say(
            fleet + (answer.outcome() == Outcome.CREATED ? ": created" : ": is there, and equal"));
        return ExitCode.DONE;
      }
    }
  }

  /** Copies a file. */
  @Command(
      name = "backup",
      description = "Write all that is in the file at one moment to a new one.",
      footer = {"", EXIT_CODES})
  static final class Backup implements Callable<Integer> {
    @ParentCommand private FleetsCommand fleets;

    @Parameters(paramLabel = "STORE", description = "The file, or the URL of the database.")
    private String store;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        required = true,
        converter = OutPath.class,
        description = "The new file.")
    private Path out;

    @Override
    public Integer call() throws IOException {
      return fleets.reading(
          "backup",
          store,
          journal -> {
            checkIsNotOfStore(out, store);
            journal.backup(out);
            return ExitCode.DONE;
          });
    }
  }

  /** What is done with a store that is only read. */
  private interface Reading {
    int of(Journal journal) throws StoreException, IOException;
  }

  /** Opens a store for the subcommand of a name, and reads it. */
  private int reading(String name, String store, Reading reading) throws IOException {
    try (Journal journal = Stores.openToRead(store)) {
      return reading.of(journal);
    } catch (FleetException refused) {
      int code = fail(name, refused);
      return refused.kind() == FleetException.Kind.DAMAGED ? ExitCode.REFUSED : code;
    } catch (StoreException | InvalidInputException | SavedFile.UnwritableException failed) {
      return fail(name, failed);
    }
  }

  /** Checks that a file that is written is neither the store nor one that is kept beside it. */
  private static void checkIsNotOfStore(Path out, String store) throws StoreException {
    List<Path> files = Stores.files(store);
    for (Path file : files) {
      if (SavedFile.isSame(file, out)) {
        String what = file.equals(files.get(0)) ? "the STORE" : "a file of the STORE";
        throw new StoreException("--out " + out + " is " + what + "; give another", null);
      }
    }
  }

  private int fail(String name, Throwable why) {
    terminal.complain("fleets " + name, why.getMessage());
    return ExitCode.FAILED;
  }

  private FleetEngine engine(PluginOptions plugins) {
    Distributors distributors = plugins.installed(terminal);
    return FleetEngine.of(
        problem -> ProblemDistributor.of(strategy(distributors, problem), problem),
        problem -> ProblemDistributor.restored(strategy(distributors, problem), problem));
  }

  private static Distributors.Builder strategy(Distributors distributors, Problem problem) {
    String word = problem.strategy().orElse(ProblemOptions.DEFAULT_STRATEGY);
    return distributors.strategy(StrategyWords.nameOf(word));
  }
}
