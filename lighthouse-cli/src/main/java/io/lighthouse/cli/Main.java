package io.lighthouse.cli;

/** The command {@code ./lighthouse}. */
public final class Main {

  private Main() {}

  /**
   * Runs the command and ends the JVM with its exit code.
   *
   * @param args the words after the command's name
   */
  public static void main(String[] args) {
    System.err.println("lighthouse: no command yet");
    System.exit(2);
  }
}
