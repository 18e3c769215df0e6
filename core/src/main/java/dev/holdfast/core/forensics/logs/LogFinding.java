package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.health.Severity;
import java.util.List;

/**
 * Something worth knowing that did not end the run: a silent fall-back of NCCL, versions that
 * differ, an event in a kernel log, clocks that disagree.
 *
 * @param id stable: {@code nccl.socket}, {@code nccl.no-gdr}, {@code nccl.versions}, {@code
 *     kernel.xid}, …
 * @param ranks whom it concerns as people write it, {@code 0-3,7}; empty: not about ranks
 * @param nodes whom it concerns
 * @param summary one sentence
 * @param evidence lines it rests on
 * @param meaning why it hurts
 * @param remedy what to do
 * @param proof how far it is proven: {@code recorded} or {@code documented}
 */
public record LogFinding(
    String id,
    Severity severity,
    String ranks,
    List<String> nodes,
    String summary,
    List<String> evidence,
    String meaning,
    String remedy,
    String proof) {
  public LogFinding {
    nodes = List.copyOf(nodes);
    evidence = List.copyOf(evidence);
  }
}
