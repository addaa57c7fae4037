package io.lighthouse.fleets.store;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilePlaceTest {
  private static final Path FILE = Path.of("fleets.db");

  @ParameterizedTest
  @ValueSource(strings = {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse", "fuse.sshfs"})
  void aFileSystemWhereALogIsNotSafeIsRefused(String type) {
    assertThatThrownBy(() -> FilePlace.requireLocal(FILE, type))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("file system of type " + type + "; allowed: a local one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "NTFS", "apfs"})
  void aLocalFileSystemIsNot(String type) {
    assertThatCode(() -> FilePlace.requireLocal(FILE, type)).doesNotThrowAnyException();
  }
}
