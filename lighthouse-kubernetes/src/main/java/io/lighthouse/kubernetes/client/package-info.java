/**
 * The protocol: how an API server is reached, called and followed, as whom, and how one of several
 * replicas leads. Knows nothing of placing. Start at {@link
 * io.lighthouse.kubernetes.client.ApiServer}.
 */
package io.lighthouse.kubernetes.client;
