/** Plans, replayed move by move, recounted, and compared with every plan there is. */
package io.lighthouse.tests.plans;
