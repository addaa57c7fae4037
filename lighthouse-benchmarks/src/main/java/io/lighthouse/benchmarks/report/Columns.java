package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.run.Case;
import io.lighthouse.benchmarks.run.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A table with a row for each measurement, given column by column. */
final class Columns {
  private final List<Measurement> rows;
  private final List<String> names = new ArrayList<>();
  private final List<Function<Measurement, ?>> cells = new ArrayList<>();
  private int words;

  Columns(List<Measurement> rows) {
    this.rows = rows;
  }

  /** Adds a column of words; these come before those of figures. */
  Columns words(String name, Function<Measurement, ?> cell) {
    words++;
    return figure(name, cell);
  }

  Columns figure(String name, Function<Measurement, ?> cell) {
    names.add(name);
    cells.add(cell);
    return this;
  }

  Columns strategy() {
    return words("strategy", row -> strategy(row.of()));
  }

  Columns nodes() {
    return figure("nodes", row -> Figures.count(row.of().nodes()));
  }

  /** Adds the median with its spread. */
  Columns time(String name) {
    return figure(name, Figures::spread);
  }

  Columns count(String name, String value) {
    return figure(name, row -> Figures.count(row.value(value)));
  }

  Columns nanos(String name, String value) {
    return figure(name, row -> Figures.nanos(row.value(value)));
  }

  Columns rounded(String name, String value) {
    return figure(name, row -> Figures.rounded(row.value(value)));
  }

  static Contestant strategy(Case of) {
    return Contestant.valueOf(of.param("strategy"));
  }

  @Override
  public String toString() {
    Table table = new Table(words, names.toArray(String[]::new));
    rows.forEach(row -> table.row(cells.stream().map(cell -> cell.apply(row)).toArray()));
    return table.toString();
  }
}
