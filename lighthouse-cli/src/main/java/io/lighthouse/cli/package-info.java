/**
 * The command {@code ./lighthouse}. {@link io.lighthouse.cli.Main} lists the commands, one class
 * each; {@code FileRun} does a command's work file by file; {@code LoadedFleet} is what a file
 * becomes under the options; {@code AssignmentPage} and {@code TerminalPage} are what people see.
 */
package io.lighthouse.cli;
