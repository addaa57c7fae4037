/** Drawings of fleets, and the words in which fleets are told to people. */
package io.lighthouse.picture;
