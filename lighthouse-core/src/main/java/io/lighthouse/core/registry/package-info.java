/** Strategies found, named and validated. */
package io.lighthouse.core.registry;
