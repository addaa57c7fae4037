package io.lighthouse.core.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

class ResourceTableTest {
  /** How many names may be read before the stack ends. */
  private int left = Integer.MAX_VALUE;

  /** A name that is taken out without being in the table would make its size too small. */
  @Test
  void aNameThatTheStackKeptOutIsNotTakenOut() throws ReflectiveOperationException {
    ResourceTable table = new ResourceTable();
    NameTable names = new NameTable(id -> read(table, id));
    Field byName = ResourceTable.class.getDeclaredField("byName");
    byName.setAccessible(true);
    byName.set(table, names);
    table.intern("Aa");
    left = 1; // The look-up reads the other name with this hash, and the addition reads it again.
    assertThatThrownBy(() -> table.intern("BB")).isInstanceOf(StackOverflowError.class);
    left = Integer.MAX_VALUE;

    table.dropUnused();

    assertThat(names.size()).isZero();
  }

  private String read(ResourceTable table, int id) {
    if (left-- == 0) {
      throw new StackOverflowError("planted");
    }
    return table.names[id];
  }
}
