package io.lighthouse.cli;

import static io.lighthouse.cli.DocumentedSession.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.postgres.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages about durable fleets show what the command and the service answer. */
class FleetsDocumentIT {
  private static final String DATABASE = "jdbc:postgresql://127.0.0.1/fleets";

  @TempDir private Path folder;

  @Test
  void showsWhatSeveralServicesAnswer() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        DocumentedSession session = new DocumentedSession(folder)) {
      String database = server.database();
      session.replace(DATABASE, database.substring(0, database.indexOf('?')));
      assertThat(session.show(Files.readString(ROOT.resolve("docs/fleets-operations.md"))))
          .isEqualTo(7);
      session.kill();
      String store = "'" + database + "'";
      String exported = session.run("./lighthouse fleets export " + store + " prod");
      assertThat(exported).contains("\"vm-1\"");
      Files.writeString(folder.resolve("prod.json"), exported);
      String test = "./lighthouse fleets import " + store + " test prod.json";
      assertThat(session.run(test)).isEqualTo("test: created\n");
      assertThat(session.run(test)).isEqualTo("test: is there, and equal\n");
      assertThat(session.run("./lighthouse fleets backup --out copy " + store)).contains("pg_dump");
      // A fleet goes from a database to a file and is the same.
      assertThat(session.run("./lighthouse fleets import fleets.db prod prod.json"))
          .isEqualTo("prod: created\n");
      assertThat(session.run("./lighthouse fleets export fleets.db prod")).isEqualTo(exported);
    }
  }

  @Test
  void showsWhatIsAnswered() throws Exception {
    try (DocumentedSession session = new DocumentedSession(folder)) {
      assertThat(session.show(Files.readString(ROOT.resolve("docs/tutorials/operate.md"))))
          .isEqualTo(12);
      // What was answered is there when the process was killed.
      session.kill();
      assertThat(session.run("./lighthouse fleets verify fleets.db"))
          .isEqualTo("prod: generation 4, 4 entries carried out, sound\n");
      assertThat(session.run("./lighthouse fleets backup --out copy.db fleets.db")).isEmpty();
      String exported = session.run("./lighthouse fleets export copy.db prod");
      assertThat(exported).contains("\"vm-1\"");
      Files.writeString(folder.resolve("prod.json"), exported);
      String other = "./lighthouse fleets import other.db prod prod.json";
      assertThat(session.run(other)).isEqualTo("prod: created\n");
      assertThat(session.run(other)).isEqualTo("prod: is there, and equal\n");
      assertThat(session.run("./lighthouse fleets export other.db prod")).isEqualTo(exported);
      assertThat(session.run("./lighthouse fleets verify prod.json")).contains("no SQLite file");
    }
  }

  @Test
  void showsWhatALiveFleetAnswers() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/answers.md"));
    try (DocumentedSession session = new DocumentedSession(folder)) {
      session.show(
          "```console\n$ ./lighthouse serve --store answers.db --port 8087\n"
              + "lighthouse listens on http://127.0.0.1:8087/\n```\n");
      assertThat(session.show(DocumentedSession.section(page, "## Of a live fleet"))).isEqualTo(13);
      assertThat(session.run("./lighthouse fleets export answers.db shop")).contains("\"job\"");
    }
  }
}
