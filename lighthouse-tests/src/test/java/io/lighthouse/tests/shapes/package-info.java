/**
 * Sound strategies of every shape that the interface allows must keep every law. One declines, one
 * compares every candidate, one places whole batches, moves workloads and takes them back.
 */
package io.lighthouse.tests.shapes;
