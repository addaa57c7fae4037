/** Drawings of fleets, and texts that describe fleets to people. */
package io.lighthouse.picture;
