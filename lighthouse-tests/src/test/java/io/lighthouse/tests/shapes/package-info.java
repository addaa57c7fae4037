/**
 * Sound strategies of every shape that the door allows, so that no law is broken by what is
 * allowed: one that declines, one that compares every candidate, one that places whole batches,
 * moves, and takes back.
 */
package io.lighthouse.tests.shapes;
