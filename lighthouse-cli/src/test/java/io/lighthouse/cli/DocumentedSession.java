package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * Carries out what a page shows, in an empty folder: its files, its services and its commands.
 *
 * <ul>
 *   <li>A block whose first line is a comment with a file's name ({@code # place.py}) is that file.
 *   <li>In a block marked {@code console}, a line that begins with {@code $} is a command. The
 *       lines that begin with {@code >} continue it. The lines below are its output; a last line of
 *       three points stands for the rest of it.
 *   <li>{@code ./lighthouse serve} starts a service on a free port. The port of the page is
 *       replaced by that port in all commands and files.
 * </ul>
 */
final class DocumentedSession implements AutoCloseable {
  static final Path ROOT = Path.of(System.getProperty("lighthouse.root"));

  private static final Pattern BLOCK =
      Pattern.compile("^```(\\w+)\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern FILE =
      Pattern.compile("(?:#|//|<!--) ([\\w-]+\\.(?:py|java|xml|yaml|sh))(?: -->)?\n(?s:.*)");
  private static final String SERVE = "./lighthouse serve";
  private static final Pattern PORT = Pattern.compile(" --port (\\d+)");
  private static final int MINUTES = 2;

  private final Path folder;
  private final List<Process> services = new ArrayList<>();

  /** What stands on the page, and what it is in this session. */
  private final Map<String, String> replaced = new TreeMap<>();

  private final Map<String, String> files = new TreeMap<>();

  DocumentedSession(Path folder) throws IOException {
    this.folder = folder;
    script("lighthouse", "exec " + quoted(lighthouse()) + " \"$@\"\n");
  }

  /** Writes a program for the commands of the page. */
  void script(String name, String text) throws IOException {
    Path script = folder.resolve(name);
    Files.writeString(script, "#!/usr/bin/env bash\n" + text);
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  /** Uses another text in this session for one that stands on the page, such as an address. */
  void replace(String documented, String actual) {
    replaced.put(documented, actual);
  }

  /** Carries out a text in Markdown and requires each output; returns the number of commands. */
  int show(String markdown) throws IOException, InterruptedException {
    int commands = 0;
    Matcher block = BLOCK.matcher(markdown);
    while (block.find()) {
      Matcher file = FILE.matcher(block.group(2));
      if (file.matches()) {
        files.put(file.group(1), block.group(2));
      } else if (block.group(1).equals("console")) {
        commands += steps(block.group(2));
      }
    }
    return commands;
  }

  /** The part of a page below one of its headings, as far as the next heading of its level. */
  static String section(String markdown, String heading) {
    int start = markdown.indexOf("\n" + heading + "\n");
    assertThat(start).as(heading).isNotNegative();
    int end = markdown.indexOf("\n## ", start + heading.length());
    return markdown.substring(start, end < 0 ? markdown.length() : end);
  }

  private int steps(String console) throws IOException, InterruptedException {
    List<StringBuilder> commands = new ArrayList<>();
    List<StringBuilder> outputs = new ArrayList<>();
    for (String line : console.lines().toList()) {
      if (line.startsWith("$ ")) {
        commands.add(new StringBuilder(line.substring(2)));
        outputs.add(new StringBuilder());
      } else if (line.startsWith("> ")) {
        commands.get(commands.size() - 1).append('\n').append(line.substring(2));
      } else {
        outputs.get(outputs.size() - 1).append(line).append('\n');
      }
    }
    for (int i = 0; i < commands.size(); i++) {
      require(commands.get(i).toString(), outputs.get(i).toString());
    }
    return commands.size();
  }

  private void require(String command, String documented) throws IOException, InterruptedException {
    String printed = command.startsWith(SERVE) ? served(command) : run(command);
    String output = printed.isEmpty() || printed.endsWith("\n") ? printed : printed + "\n";
    if (documented.endsWith("...\n")) {
      assertThat(output).as(command).startsWith(documented.replaceFirst("\\.\\.\\.\n$", ""));
    } else if (!command.endsWith("&")) {
      assertThat(output).as(command).isEqualTo(documented);
    }
  }

  /** Starts a service on any free port; returns its first line with the port of the page. */
  private String served(String command) throws IOException {
    Matcher port = PORT.matcher(command);
    String address = "127.0.0.1:" + (port.find() ? port.group(1) : "8087");
    ProcessBuilder builder = shell("exec " + port.replaceAll("").replaceFirst(" *&$", ""));
    builder.environment().put("LIGHTHOUSE_PORT", "0");
    builder.environment().put("LIGHTHOUSE_LOG", "off");
    Process service = builder.start();
    services.add(service);
    BufferedReader out =
        new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    assertThat(line).as(command).startsWith("lighthouse listens on http://127.0.0.1:");
    String actual = line.replaceFirst(".*//(.*)/$", "$1");
    replaced.put(address, actual);
    return line.replace(actual, address) + "\n";
  }

  /** Runs a command of the page and returns what it prints, errors included. */
  String run(String command) throws IOException, InterruptedException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), actual(file.getValue()));
    }
    Path output = Files.createTempFile("session", ".txt");
    Process process = shell(command).redirectOutput(output.toFile()).start();
    assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as(command).isTrue();
    String printed = Files.readString(output);
    Files.delete(output);
    return printed;
  }

  private ProcessBuilder shell(String command) {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", actual(command));
    builder.directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8");
    String java = Path.of(System.getProperty("java.home"), "bin").toString();
    builder.environment().merge("PATH", folder + ":" + java, (path, ours) -> ours + ":" + path);
    return builder;
  }

  private String actual(String text) {
    String actual = text;
    for (Map.Entry<String, String> each : replaced.entrySet()) {
      actual = actual.replace(each.getKey(), each.getValue());
    }
    return actual;
  }

  private static List<String> lighthouse() {
    return Launch.command("--enable-native-access=org.xerial.sqlitejdbc");
  }

  private static String quoted(List<String> words) {
    return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
  }

  /** Skips a test where no Python 3 is installed. */
  static void assumePython() throws IOException, InterruptedException {
    Process found = new ProcessBuilder("bash", "-c", "command -v python3").start();
    Assumptions.assumeTrue(found.waitFor() == 0, "no python3 here");
  }

  /** Kills the services: what was answered has to survive that. */
  void kill() {
    services.forEach(service -> service.destroyForcibly().onExit().join());
    services.clear();
  }

  @Override
  public void close() {
    kill();
  }
}
