/**
 * The commands, one class each. {@link io.lighthouse.cli.command.LoadedFleet} is what a file
 * becomes under the options.
 */
package io.lighthouse.cli.command;
