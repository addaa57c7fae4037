/** The problem format, read and written. */
package io.lighthouse.json;
