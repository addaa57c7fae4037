/** A plug-in by somebody else: built from its own project, found, run and judged from outside. */
package io.lighthouse.tests.plugin;
