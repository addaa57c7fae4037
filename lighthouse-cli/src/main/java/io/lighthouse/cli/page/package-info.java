/**
 * What people see: the terminal, its pages, and reasons, terms and remedies in words. Start at
 * {@link io.lighthouse.cli.page.TerminalPage}.
 */
package io.lighthouse.cli.page;
