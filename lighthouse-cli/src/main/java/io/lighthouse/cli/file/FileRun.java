package io.lighthouse.cli.file;

import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.json.ProblemFormatException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Does something with one file after another; one that is bad does not stop the others. */
public final class FileRun {
  private FileRun() {}

  /** What is done with a file. */
  public interface Work {
    /** Returns {@link ExitCode#DONE}, {@code REFUSED} or {@code FAILED}. */
    int with(FleetFile file) throws IOException;
  }

  /**
   * The files that were given; standard input where none was and it is a pipe.
   *
   * @throws ParameterException if there is nothing to read, or standard input is given twice
   */
  public static List<String> given(List<String> files, Terminal terminal, CommandSpec command) {
    if (files.isEmpty() && terminal.keyboard()) {
      throw new ParameterException(
          command.commandLine(), "Missing required parameter: 'FILE'; - is standard input");
    }
    if (Collections.frequency(files, FleetFile.STANDARD_INPUT) > 1) {
      throw new ParameterException(
          command.commandLine(), "- is given twice; standard input can be read once");
    }
    return files.isEmpty() ? List.of(FleetFile.STANDARD_INPUT) : files;
  }

  /**
   * Does it with every file.
   *
   * @throws IOException if standard output cannot be written
   */
  public static int each(List<String> files, Terminal terminal, Work work) throws IOException {
    int worst = ExitCode.DONE;
    for (String name : files) {
      FleetFile file = new FleetFile(name);
      worst = Math.max(worst, one(file, terminal, work));
    }
    return worst;
  }

  private static int one(FleetFile file, Terminal terminal, Work work) throws IOException {
    String complaint;
    try {
      return work.with(file);
    } catch (ProblemFormatException unsound) {
      int more = unsound.faults().size() - 1;
      complaint =
          unsound.getMessage()
              + (more == 0 ? "" : " (and " + more + " more: lighthouse check lists them)");
    } catch (InternalErrorException bug) {
      terminal.report(file.title(), bug.getMessage(), bug);
      return ExitCode.FAILED;
    } catch (InvalidInputException
        | LighthouseException
        | FleetFile.UnreadableException
        | SavedFile.UnwritableException refused) {
      complaint = refused.getMessage();
    } catch (OutOfMemoryError tooLarge) {
      complaint = tooLarge();
    }
    terminal.complain(file.title(), complaint);
    return ExitCode.FAILED;
  }

  /**
   * What to print where the memory is used up.
   *
   * @return a message that names the memory, and how to allow more
   */
  public static String tooLarge() {
    return "too large for "
        + (Runtime.getRuntime().maxMemory() >> 20)
        + " MiB of memory; allow more, as with LIGHTHOUSE_OPTS=-Xmx8g";
  }
}
