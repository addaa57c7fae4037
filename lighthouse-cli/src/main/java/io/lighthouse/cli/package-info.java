/**
 * The command {@code ./lighthouse}. {@link io.lighthouse.cli.Main} lists the commands.
 *
 * <p>The packages, the lowest first. A package depends only on those before it.
 *
 * <ul>
 *   <li>{@code page}: the terminal, and answers in words.
 *   <li>{@code file}: files read and written, one after the other.
 *   <li>{@code option}: options that several commands share.
 *   <li>{@code simulate}: traces and reports of a simulation.
 *   <li>{@code command}: one class for each command.
 *   <li>this one: the table of commands.
 * </ul>
 */
package io.lighthouse.cli;
