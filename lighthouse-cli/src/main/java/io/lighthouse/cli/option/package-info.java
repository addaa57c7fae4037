/** Options that several commands share, and the options of the service. */
package io.lighthouse.cli.option;
