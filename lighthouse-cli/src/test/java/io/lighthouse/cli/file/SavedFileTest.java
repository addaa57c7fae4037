package io.lighthouse.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedFileTest {
  private static final byte[] NEW = "new".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  @Test
  void aForeignFileOfTheSameNameWithPartStays() throws IOException {
    Path file = folder.resolve("fleet.json");
    Path foreign = Files.writeString(folder.resolve("fleet.json.part"), "somebody else's");
    SavedFile.save(file, out -> out.write(NEW));
    assertThat(file).hasBinaryContent(NEW);
    assertThat(foreign).hasContent("somebody else's");
    assertThatThrownBy(
            () ->
                SavedFile.save(
                    file,
                    out -> {
                      throw new IOException("planned");
                    }))
        .hasMessageContaining("planned");
    assertThat(foreign).hasContent("somebody else's");
    assertThat(file).hasBinaryContent(NEW);
    try (Stream<Path> there = Files.list(folder)) {
      assertThat(there).containsExactlyInAnyOrder(file, foreign);
    }
  }

  @Test
  void aNameWithGzIsCompressedThoughItIsWrittenBesideAForeignPart() throws IOException {
    Path file = folder.resolve("fleet.json.gz");
    Files.writeString(folder.resolve("fleet.json.gz.part"), "somebody else's");
    SavedFile.save(file, out -> out.write(NEW));
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      assertThat(in.readAllBytes()).isEqualTo(NEW);
    }
  }

  @Test
  void whatIsReplacedKeepsItsPermissions() throws IOException {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Path file = Files.writeString(folder.resolve("fleet.json"), "old");
    for (String permissions : List.of("rw-------", "rw-rw-rw-")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
      SavedFile.save(
          file,
          out -> {
            Path part = folder.resolve("fleet.json.part");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
                .isEqualTo("rw-------");
            out.write(NEW);
          });
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo(permissions);
    }
  }
}
