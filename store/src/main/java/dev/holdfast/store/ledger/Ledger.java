package dev.holdfast.store.ledger;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.SummedLine;
import dev.holdfast.os.file.AtomicFile;
import dev.holdfast.os.file.OwnFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which attempts, ports and terms there have been, so that a store that was killed and started
 * again never gives out an old one as new.
 *
 * <p>A file of lines, each flushed to the disk before what it says is answered, each with a
 * checksum. What is written only ever grows (the newest term, the newest attempt, the ports used),
 * so the lines that can be read say the truth in any order. Of those that cannot it is known only
 * that they were there: terms and ports then go on well beyond what they can have said. Every so
 * often the file is replaced by one line for each job.
 *
 * <p>Not safe for several threads; one process at a time, which a lock on a file sees to.
 */
public final class Ledger implements AutoCloseable {
  private static final int JOBS = 4096;
  private static final int LINES_BEFORE_REWRITE = 4096;
  private static final long LARGEST = 64L << 20;
  private static final long TERMS_SKIPPED = 1000;
  private static final int PORTS_SKIPPED = 16;
  private static final int SHORTEST_LINE = 24;

  private final Path file;
  private final FileChannel lockChannel;
  private final Map<String, JobEntry> jobs = new LinkedHashMap<>();
  private final Set<String> inUse = new HashSet<>();
  private @Nullable FileChannel channel;
  private long term;
  private long opened;
  private long count;
  private int lines;
  private long lostBytes;

  private Ledger(Path file, FileChannel lockChannel) {
    this.file = file;
    this.lockChannel = lockChannel;
  }

  /** Opens the ledger of a folder, which is made where it is missing. */
  public static Ledger open(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    FileChannel lockChannel = lock(folder.resolve("ledger.lock"));
    Ledger ledger = new Ledger(folder.resolve("ledger.log"), lockChannel);
    try {
      ledger.read();
      ledger.rewrite();
      return ledger;
    } catch (IOException | RuntimeException failed) {
      ledger.close();
      throw failed;
    }
  }

  private static FileChannel lock(Path file) throws IOException {
    FileChannel channel = OwnFile.open(file, List.of(StandardOpenOption.WRITE));
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException sameProcess) {
      // Said below.
    }
    channel.close();
    throw new IOException(file.getParent() + " is in use by another store");
  }

  private void read() throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    if (Files.size(file) > LARGEST) {
      throw new IOException(file + " is larger than a ledger gets; move it away");
    }
    byte[] bytes = Files.readAllBytes(file);
    int start = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        readLine(new String(bytes, start, at - start, StandardCharsets.UTF_8));
        start = at + 1;
      }
    }
    lostBytes += bytes.length - start; // a line without its end was cut
    if (lostBytes > 0) {
      long atMost = lostBytes / SHORTEST_LINE + 1;
      term += TERMS_SKIPPED + atMost;
      opened += PORTS_SKIPPED + atMost;
    }
  }

  private void readLine(String line) {
    Optional<String> json = SummedLine.read(line);
    if (json.isEmpty()) {
      lostBytes += line.length() + 1L;
      return;
    }
    Fields fields = Fields.of("ledger", Json.read(json.get()));
    term = Math.max(term, fields.number("term", 0));
    opened = Math.max(opened, fields.number("opened", 0));
    if (fields.has("job")) {
      merge(JobEntry.of(fields));
    }
  }

  private void merge(JobEntry entry) {
    count++;
    JobEntry known = jobs.getOrDefault(entry.job(), JobEntry.fresh(entry.job()));
    jobs.put(entry.job(), known.merge(entry).touched(count));
  }

  /** How many bytes of the file could not be read when it was opened. */
  public long lostBytes() {
    return lostBytes;
  }

  /** The newest term of all jobs. */
  public long term() {
    return term;
  }

  /** How many attempts have been opened, all jobs together, or more. */
  public long opened() {
    return opened;
  }

  public Optional<JobEntry> job(String job) {
    return Optional.ofNullable(jobs.get(job));
  }

  public List<JobEntry> jobs() {
    return List.copyOf(jobs.values());
  }

  /** An attempt is about to be opened on a port; {@code advance}: places gone on in the range. */
  public void open(String job, int attempt, int port, int advance) throws IOException {
    JobEntry known = job(job).orElse(JobEntry.fresh(job));
    opened += advance;
    append(
        new JobEntry(
            job, attempt, known.term(), known.holder(), known.leaseSeconds(), Set.of(port), 0));
  }

  /** A term is about to be granted. */
  public void claim(String job, long newTerm, String holder, int leaseSeconds) throws IOException {
    JobEntry known = job(job).orElse(JobEntry.fresh(job));
    term = Math.max(term, newTerm);
    append(new JobEntry(job, known.attempt(), newTerm, holder, leaseSeconds, Set.of(), 0));
  }

  /** The holder of a term has given it back. */
  public void release(String job) throws IOException {
    JobEntry known = job(job).orElse(JobEntry.fresh(job));
    append(new JobEntry(job, known.attempt(), known.term(), "", 0, Set.of(), 0));
  }

  /** Ports of a job have all been used once; it begins anew with them. */
  public void forgetPorts(String job) {
    JobEntry known = jobs.get(job);
    if (known != null) {
      jobs.put(
          job,
          new JobEntry(
              job,
              known.attempt(),
              known.term(),
              known.holder(),
              known.leaseSeconds(),
              Set.of(),
              known.touched()));
    }
  }

  /** Whether a job is never forgotten, however many others come. */
  public void keep(String job, boolean wanted) {
    if (wanted) {
      inUse.add(job);
    } else {
      inUse.remove(job);
    }
  }

  private void append(JobEntry entry) throws IOException {
    FileChannel open = channel;
    if (open == null) {
      throw new IOException(file + " is closed");
    }
    Map<String, @Nullable Object> line = entry.json();
    line.put("opened", opened);
    ByteBuffer bytes = ByteBuffer.wrap(SummedLine.write(Json.line(line)));
    while (bytes.hasRemaining()) {
      open.write(bytes);
    }
    open.force(false);
    merge(entry);
    if (++lines >= LINES_BEFORE_REWRITE) {
      rewrite();
    }
  }

  /** What counts for all jobs stands first and last, so that no single damage loses it. */
  private void rewrite() throws IOException {
    forgetOldest();
    String all = Json.line(Json.map("term", term, "opened", opened));
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(SummedLine.write(all));
    jobs.values().forEach(job -> content.writeBytes(SummedLine.write(Json.line(job.json()))));
    content.writeBytes(SummedLine.write(all));
    AtomicFile.write(file, content.toByteArray());
    if (channel != null) {
      channel.close();
    }
    channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    lines = 0;
  }

  private void forgetOldest() {
    List<String> oldest =
        jobs.values().stream()
            .filter(job -> !inUse.contains(job.job()))
            .sorted(Comparator.comparingLong(JobEntry::touched))
            .limit(Math.max(0, jobs.size() - JOBS))
            .map(JobEntry::job)
            .toList();
    oldest.forEach(jobs::remove);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
    lockChannel.close();
  }
}
