package io.lighthouse.cli.command;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.option.FolderPath;
import io.lighthouse.cli.option.NumberOption;
import io.lighthouse.cli.option.ServeLimits;
import io.lighthouse.cli.option.ServiceEnvironment;
import io.lighthouse.cli.option.ServiceLog;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.server.PlacementService;
import io.lighthouse.server.ServiceSettings;
import io.lighthouse.server.ServiceStartException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves placements over HTTP until a signal. */
@Command(
    name = "serve",
    description = {
      "Serve placements over HTTP, until SIGTERM or Ctrl-C.",
      "Every option is an environment variable too: --max-body is LIGHTHOUSE_MAX_BODY.",
      "Sizes are such as 65536, 64K, 32M or 1G; times are such as 500ms, 10s, 2m or 1h."
    },
    footer = {
      "",
      "Exit codes: 0 stopped in order, 2 wrong use, or something that it needs is missing or"
          + " broken, 3 it cannot listen on that address."
    },
    sortOptions = false,
    modelTransformer = ServeLimits.class,
    defaultValueProvider = ServiceEnvironment.class)
public final class ServeCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private CommandSpec command;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "" + ServiceSettings.DEFAULT_PORT,
      converter = NumberOption.Port.class,
      description = "Where to listen; 0 for any free port (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      defaultValue = ServiceSettings.DEFAULT_BIND,
      description = "On which address; 0.0.0.0 for all (default: ${DEFAULT-VALUE}).")
  private String bind;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The limits below, in YAML or JSON, such as max-body: 64M. Options and environment"
              + " variables override it.")
  private Path config;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      converter = FolderPath.class,
      description = "Also use the strategies and rules in the jars of this directory.")
  private Path plugins;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Serve only those who send one of its lines as a bearer token. Behind a token may stand"
              + " reader, placer or admin, and the fleet that it is for.")
  private Path tokens;

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      description = "Speak TLS with the key of this PKCS#12 or JKS file.")
  private Path keystore;

  @Option(
      names = "--tls-password-file",
      paramLabel = "FILE",
      description = "The file whose first line is the keystore's password.")
  private Path keystorePassword;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description =
          "Keep fleets in this file, made where it is not there, or in a PostgreSQL database that"
              + " several services share (jdbc:postgresql://HOST/DATABASE?user=NAME); and serve the"
              + " calls under /fleets.")
  private String store;

  @Option(
      names = "--cors-origin",
      paramLabel = "ORIGIN",
      split = ",",
      description = "Let pages of this origin read the answers; * for all. May be repeated.")
  private List<String> origins = new ArrayList<>();

  @Option(
      names = "--host",
      paramLabel = "NAME",
      split = ",",
      description =
          "Without tokens, also answer requests whose Host is this name or address; loopback names"
              + " and the bound address always are. May be repeated.")
  private List<String> hosts = new ArrayList<>();

  @Option(
      names = "--log",
      paramLabel = "LEVEL",
      defaultValue = "info",
      description =
          "From which level on there is a log: off, error, warning or info, with a line a request"
              + " (default: info).")
  private ServiceLog.Loudness log;

  public ServeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    ServiceLog.set(log);
    PlacementService service;
    try {
      service = PlacementService.start(settings());
    } catch (InvalidInputException wrong) {
      throw new ParameterException(
          command.commandLine(), wrong.getMessage().replaceFirst("^settings: ", "--"));
    } catch (ServiceStartException failed) {
      terminal.complain("serve", failed.getMessage());
      return failed.kind() == ServiceStartException.Kind.ADDRESS
          ? ExitCode.CANNOT_LISTEN
          : ExitCode.FAILED;
    }
    if (tokens == null && !isLoopback()) {
      terminal.warn(
          "anybody who reaches " + bind + " is served; see --token-file and --tls-keystore");
    }
    return ServiceRun.untilStopped(
        terminal, "lighthouse listens on " + service.uri(), service::awaitStop, service::stop);
  }

  private ServiceSettings settings() {
    ServiceSettings settings =
        new ServiceSettings().listenOn(bind, port).origins(origins).hosts(hosts);
    if (log == ServiceLog.Loudness.info) {
      settings.requestLog(terminal.err()::println);
    }
    if (plugins != null) {
      settings.plugins(plugins);
    }
    if (tokens != null) {
      settings.tokens(tokens);
    }
    if (store != null) {
      settings.store(store);
    }
    if ((keystore == null) != (keystorePassword == null)) {
      throw new ParameterException(
          command.commandLine(), "--tls-keystore and --tls-password-file go together");
    }
    if (keystore != null) {
      settings.tls(keystore, keystorePassword);
    }
    return ServeLimits.apply(command, config, settings);
  }

  private boolean isLoopback() {
    try {
      return InetAddress.getByName(bind).isLoopbackAddress();
    } catch (UnknownHostException impossible) {
      return false; // It has just been listened on.
    }
  }
}
