/** From bytes to tokens and from tokens to values, with the faults found on the way; and back. */
package io.lighthouse.json.token;
