/**
 * Files that commands read and write. {@link io.lighthouse.cli.file.FileRun} does a command's work
 * file by file.
 */
package io.lighthouse.cli.file;
