/** The command {@code ./lighthouse}. */
package io.lighthouse.cli;
