/**
 * Rows of bits, one bit per slot: the arithmetic of 64 nodes at a time, and nothing of workloads.
 */
package io.lighthouse.core.bitmap;
