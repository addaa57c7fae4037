package io.lighthouse.kubernetes.cluster.volume;

import java.util.Arrays;
import java.util.Optional;

/** The kinds of objects that say where volumes are, and where new ones may be made. */
public enum StorageKind {
  CLAIM("PersistentVolumeClaim"),
  VOLUME("PersistentVolume"),
  CLASS("StorageClass"),
  NODE_DRIVERS("CSINode"),
  DRIVER("CSIDriver"),
  CAPACITY("CSIStorageCapacity"),
  ATTACHMENT("VolumeAttachment");

  private final String word;

  StorageKind(String word) {
    this.word = word;
  }

  /** The kind with Kubernetes' word, such as {@code StorageClass}. */
  public static Optional<StorageKind> of(String word) {
    return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
  }
}
