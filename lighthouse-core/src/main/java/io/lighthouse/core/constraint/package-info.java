/**
 * The rules about nodes, one file each. A {@code Query} is the constraints of one demand, bound
 * once.
 */
package io.lighthouse.core.constraint;
