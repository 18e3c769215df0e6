package dev.holdfast.core.archive;

import java.util.Collections;
import java.util.SequencedMap;

/**
 * An archive in memory: its manifest and the content of each member, in the order of the manifest.
 * Every member has the size and the hash the manifest states.
 */
public record Archive(Manifest manifest, SequencedMap<String, byte[]> members) {
  public Archive {
    members = Collections.unmodifiableSequencedMap(members);
  }
}
