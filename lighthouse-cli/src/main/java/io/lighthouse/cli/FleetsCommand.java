package io.lighthouse.cli;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.core.Distributors;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.Fleets;
import io.lighthouse.fleets.Verification;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.FleetReader;
import io.lighthouse.json.Limits;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.ProblemWriter;
import io.lighthouse.json.StrategyWords;
import io.lighthouse.server.ProblemDistributor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Looks after the file in which the service keeps fleets. */
@Command(
    name = "fleets",
    description = "Look after the file in which serve --store keeps fleets.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "verify, export and backup only read, also while a service writes to the file.",
      "import needs the file for itself; while a service has it, send the fleet there with PUT.",
      "",
      "Exit codes: 0 done and sound, 1 something in the file is damaged, 2 wrong use, or the file"
          + " cannot be used.",
      "",
      "Examples:",
      "  lighthouse fleets verify fleets.db",
      "  lighthouse fleets export fleets.db prod > prod.json",
      "  lighthouse fleets import other.db prod prod.json",
      "  lighthouse fleets backup fleets.db copy.db"
    })
final class FleetsCommand implements Runnable {
  private final Terminal terminal;

  @Spec private CommandSpec command;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Also use the strategies in the jars of this directory.")
  private Path plugins;

  FleetsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(),
        "what is to be done? give one of " + String.join(", ", command.subcommands().keySet()));
  }

  @Command(
      name = "verify",
      description =
          "Check every hash, every snapshot against its log, and that all can be recovered.")
  int verify(@Parameters(paramLabel = "FILE", description = "The file.") Path file)
      throws IOException {
    return reading(
        file,
        journal -> {
          int code = ExitCode.DONE;
          for (Verification.Found found : new Verification(journal, engine()).verify()) {
            String is = found.faults().isEmpty() ? "sound" : "damaged";
            say(
                found.name()
                    + ": generation "
                    + found.generation()
                    + ", "
                    + found.entries()
                    + " entries carried out, "
                    + is);
            for (String fault : found.faults()) {
              say("  " + fault);
              code = ExitCode.REFUSED;
            }
          }
          for (String fault : journal.check()) {
            say("the file: " + fault);
            code = ExitCode.REFUSED;
          }
          return code;
        });
  }

  @Command(name = "export", description = "Print a fleet as a problem, in JSON.")
  int export(
      @Parameters(paramLabel = "FILE", description = "The file.") Path file,
      @Parameters(paramLabel = "FLEET", description = "The name of the fleet.") String fleet)
      throws IOException {
    return reading(
        file,
        journal -> {
          ProblemWriter.write(new Verification(journal, engine()).export(fleet), terminal.out());
          return ExitCode.DONE;
        });
  }

  @Command(
      name = "import",
      description = "Create a fleet from a problem without workloads to place.")
  int bring(
      @Parameters(paramLabel = "FILE", description = "The file; made where it is not there.")
          Path file,
      @Parameters(paramLabel = "FLEET", description = "The name of the fleet.") String fleet,
      @Parameters(paramLabel = "PROBLEM", description = "JSON; - is standard input.")
          String problem)
      throws IOException {
    Problem read;
    try (InputStream in =
        problem.equals(FleetFile.STANDARD_INPUT)
            ? terminal.in()
            : Files.newInputStream(Path.of(problem))) {
      read = new FleetReader(Limits.STANDARD).fleet(in).problem();
    } catch (ProblemFormatException wrong) {
      return fail(problem + ": " + wrong.getMessage());
    } catch (NoSuchFileException missing) {
      return fail(problem + ": there is no such file");
    }
    try (Fleets fleets =
        Fleets.open(
            SqliteJournal.open(file),
            engine(),
            FleetLimits.STANDARD.withSizes(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE),
            FleetObserver.NONE,
            Clock.systemUTC())) {
      Answer answer = fleets.create(fleet, read, "", false).join();
      say(answer.status() == 201 ? fleet + ": created" : fleet + ": is there, and equal");
      return ExitCode.DONE;
    } catch (StoreException | FleetException | InvalidInputException refused) {
      return fail(refused.getMessage());
    } catch (CompletionException refused) {
      return fail(refused.getCause().getMessage());
    }
  }

  @Command(
      name = "backup",
      description = "Write all that is in the file at one moment to a new one.")
  int backup(
      @Parameters(paramLabel = "FILE", description = "The file.") Path file,
      @Parameters(paramLabel = "COPY", description = "The new file.") Path copy)
      throws IOException {
    return reading(
        file,
        journal -> {
          journal.backup(copy);
          return ExitCode.DONE;
        });
  }

  /** What is done with a file that is only read. */
  private interface Reading {
    int of(SqliteJournal journal) throws StoreException, IOException;
  }

  private int reading(Path file, Reading reading) throws IOException {
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      return reading.of(journal);
    } catch (FleetException refused) {
      terminal.complain("fleets", refused.getMessage());
      return refused.kind() == FleetException.Kind.DAMAGED ? ExitCode.REFUSED : ExitCode.FAILED;
    } catch (StoreException | InvalidInputException failed) {
      return fail(failed.getMessage());
    }
  }

  private int fail(String why) {
    terminal.complain("fleets", why);
    return ExitCode.FAILED;
  }

  private void say(String line) throws IOException {
    terminal.out().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    terminal.out().flush();
  }

  private Function<Problem, Distributor> engine() {
    Distributors distributors =
        plugins == null ? Distributors.installed() : Distributors.installed(plugins);
    return problem -> {
      String word = problem.strategy().orElse(ProblemOptions.DEFAULT_STRATEGY);
      return ProblemDistributor.of(distributors.strategy(StrategyWords.nameOf(word)), problem);
    };
  }
}
