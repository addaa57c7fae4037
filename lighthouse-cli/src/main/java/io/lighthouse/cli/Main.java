package io.lighthouse.cli;

import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.cli.command.AssignCommand;
import io.lighthouse.cli.command.CheckCommand;
import io.lighthouse.cli.command.CompareCommand;
import io.lighthouse.cli.command.CompletionCommand;
import io.lighthouse.cli.command.ExplainCommand;
import io.lighthouse.cli.command.FleetsCommand;
import io.lighthouse.cli.command.HeadroomCommand;
import io.lighthouse.cli.command.KubernetesCommand;
import io.lighthouse.cli.command.PictureCommand;
import io.lighthouse.cli.command.PlanCommand;
import io.lighthouse.cli.command.ReplayCommand;
import io.lighthouse.cli.command.ServeCommand;
import io.lighthouse.cli.command.SimulateCommand;
import io.lighthouse.cli.command.SizeCommand;
import io.lighthouse.cli.command.StrategiesCommand;
import io.lighthouse.cli.command.VersionCommand;
import io.lighthouse.cli.command.WhatIfCommand;
import io.lighthouse.cli.file.FileRun;
import io.lighthouse.cli.option.PathOption;
import io.lighthouse.cli.option.TextOption;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code ./lighthouse}. */
public final class Main {
  /** Every command by its name, and what makes it. A new one is one more line here. */
  private static final Map<String, Function<Terminal, Object>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("assign", AssignCommand::new);
    COMMANDS.put("explain", ExplainCommand::new);
    COMMANDS.put("check", CheckCommand::new);
    COMMANDS.put("compare", CompareCommand::new);
    COMMANDS.put("plan", PlanCommand::new);
    COMMANDS.put("what-if", WhatIfCommand::new);
    COMMANDS.put("size", SizeCommand::new);
    COMMANDS.put("headroom", HeadroomCommand::new);
    COMMANDS.put("picture", PictureCommand::new);
    COMMANDS.put("replay", ReplayCommand::new);
    COMMANDS.put("strategies", StrategiesCommand::new);
    COMMANDS.put("serve", terminal -> new CommandLine(new ServeCommand(terminal)));
    COMMANDS.put("fleets", FleetsCommand::new);
    COMMANDS.put("kubernetes", KubernetesCommand::new);
    COMMANDS.put("simulate", SimulateCommand::new);
    COMMANDS.put("completion", CompletionCommand::new);
    COMMANDS.put("version", VersionCommand::new);
    COMMANDS.put("help", terminal -> new CommandLine.HelpCommand());
  }

  /** The words that ask for the version. */
  private static final Set<String> VERSION = Set.of("--version", "-V", "version");

  private static final String[] FOOTER = {
    "",
    "Exit codes: 0 all placed, 1 some refused, 2 wrong use or bad input. The --help of a command has"
        + " its own.",
    "Colours are left out where NO_COLOR is set; LIGHTHOUSE_OPTS goes to Java."
  };

  private Main() {}

  /**
   * Runs the command and ends the JVM with its exit code.
   *
   * @param args the words after the command's name
   */
  public static void main(String[] args) {
    System.exit(run(Terminal.ofProcess(), args));
  }

  /** Runs the command; answers its exit code. */
  static int run(Terminal terminal, String... args) {
    String asked = args.length == 0 ? "" : args[0];
    if (args.length == 1 && VERSION.contains(asked)) {
      // Without what it takes to understand a command, which is most of the time of a start.
      return write(terminal, version() + System.lineSeparator(), ExitCode.DONE);
    }
    boolean alone = COMMANDS.containsKey(asked) && !asked.matches("completion|help|version");
    // The others take time to set up, and only help and completion need them.
    CommandLine root = commandLine(terminal, alone ? Set.of(asked) : COMMANDS.keySet());
    root.registerConverter(Path.class, new PathOption());
    root.registerConverter(String.class, new TextOption());
    StringWriter help = new StringWriter();
    root.setUsageHelpWidth(Math.max(Terminal.USUAL_WIDTH, terminal.width()));
    root.setOut(new PrintWriter(help));
    root.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
    root.setColorScheme(
        CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF));
    root.setParameterExceptionHandler((wrong, words) -> wrongUse(terminal, wrong));
    root.setExecutionExceptionHandler((failure, command, words) -> failed(terminal, failure));
    int code;
    try {
      code = root.execute(args);
    } catch (OutOfMemoryError tooLarge) {
      terminal.complain(asked, FileRun.tooLarge());
      return ExitCode.FAILED;
    }
    return write(terminal, help.toString(), code);
  }

  /** Writes a text to standard output; returns the exit code, or that of a failure. */
  private static int write(Terminal terminal, String text, int code) {
    try {
      terminal.out().write(text.getBytes(StandardCharsets.UTF_8));
      terminal.out().flush();
      return code;
    } catch (IOException failure) {
      // A command that could not write has complained already.
      return code == ExitCode.FAILED ? code : failed(terminal, failure);
    }
  }

  /** The command with all its subcommands. */
  static CommandLine commandLine(Terminal terminal) {
    return commandLine(terminal, COMMANDS.keySet());
  }

  private static CommandLine commandLine(Terminal terminal, Set<String> names) {
    CommandLine root = new CommandLine(new Lighthouse());
    root.setExpandAtFiles(false); // A name may begin with @.
    COMMANDS.forEach(
        (name, command) -> {
          if (names.contains(name)) {
            root.addSubcommand(name, command.apply(terminal));
          }
        });
    // Not in the annotation, whose footer every command without one would inherit.
    root.getCommandSpec().usageMessage().footer(FOOTER);
    return root;
  }

  private static int wrongUse(Terminal terminal, ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    String message = UnknownWords.message(wrong);
    terminal.complain(command.getCommandSpec().qualifiedName().replace("lighthouse ", ""), message);
    terminal.err().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.FAILED;
  }

  private static int failed(Terminal terminal, Exception failure) {
    if (failure instanceof IOException) {
      if (!"Broken pipe".equals(failure.getMessage())) {
        terminal.complain("standard output", "cannot be written: " + failure.getMessage());
      }
    } else {
      terminal.report("internal error", bug(failure).getMessage(), failure);
    }
    return ExitCode.FAILED;
  }

  private static InternalErrorException bug(Exception failure) {
    return failure instanceof InternalErrorException known
        ? known
        : new InternalErrorException(failure.toString(), failure);
  }

  private static String version() {
    ModuleDescriptor module = Main.class.getModule().getDescriptor();
    String version =
        module == null
            ? Main.class.getPackage().getImplementationVersion()
            : module.rawVersion().orElse(null);
    return "lighthouse " + Objects.requireNonNullElse(version, "") + ", Java " + Runtime.version();
  }

  /** The command without a word behind it. */
  @Command(
      name = "lighthouse",
      description = "Places workloads on nodes: exact accounts, hard constraints, strategies.",
      mixinStandardHelpOptions = true,
      scope = ScopeType.INHERIT,
      versionProvider = Version.class,
      synopsisSubcommandLabel = "COMMAND")
  static final class Lighthouse implements Runnable {
    @Spec private CommandSpec command;

    @Override
    public void run() {
      throw new ParameterException(
          command.commandLine(),
          "what is to be done? give one of " + String.join(", ", COMMANDS.keySet()));
    }
  }

  /** The version of this module. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {version()};
    }
  }
}
