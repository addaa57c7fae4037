/**
 * The placers: Lighthouse through its public API, and two placers to compare it with, one naive and
 * one a plain scan over arrays. All give the same answers.
 */
package io.lighthouse.benchmarks.placer;
