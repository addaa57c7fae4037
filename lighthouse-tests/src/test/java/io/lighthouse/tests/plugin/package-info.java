/** Plug-ins of other authors: built from their own projects, found, run and judged from outside. */
package io.lighthouse.tests.plugin;
