package dev.holdfast.core.forensics.logs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads the logs of a run and says what they tell. Files are read by as many threads as the caller
 * has; of each a few kilobytes are kept, however long it is.
 */
public final class LogAnalysis {
  private static final int MOST_TEMPLATES = 1_000;
  private static final int MOST_UNREADABLE = 100;
  private static final int MOST_ENDINGS = 4_096;
  private static final int MOST_KERNELS = 20_000;

  private final AtomicInteger ids = new AtomicInteger();
  private final List<Speaker> speakers = new ArrayList<>();
  private final Templates templates = new Templates(MOST_TEMPLATES);
  private final List<Ending> endings = new ArrayList<>();
  private final List<KernelNotes> kernels = new ArrayList<>();
  private final List<RasReport> reports = new ArrayList<>();
  private final InspectorNotes inspector = new InspectorNotes();
  private final TreeSet<String> unreadable = new TreeSet<>();
  private int files;
  private long bytes;
  private long lines;
  private boolean crowded;

  /** Reads all, one after the other. */
  public static LogVerdict of(Collection<LogSource> sources) {
    LogAnalysis analysis = new LogAnalysis();
    sources.forEach(analysis::read);
    return analysis.verdict();
  }

  /** Reads one file; by any thread. A file that cannot be read is noted. */
  public void read(LogSource source) {
    try (InputStream in = LogStream.of(source.door().open())) {
      byte[] begin = in.readNBytes(Sniff.BYTES);
      Sniff form = Sniff.of(begin, begin.length, source.kind());
      switch (form) {
        case KERNEL -> keep(KernelNotes.read(source, begin, in));
        case RAS -> {
          byte[] all = all(begin, in);
          keep(RasReport.of(source.name(), new String(all, StandardCharsets.UTF_8)), all.length);
        }
        case INSPECTOR -> {
          InspectorNotes notes = new InspectorNotes();
          keep(notes, notes.read(begin, in));
        }
        case OUTPUT, NUMBERED, HOSTED ->
            keep(new LogScanner(source, form, ids::getAndIncrement).scan(begin, in));
      }
    } catch (IOException | IllegalArgumentException cannot) {
      refuse(source.name() + ": " + cannot.getMessage());
    }
  }

  private static byte[] all(byte[] begin, InputStream in) throws IOException {
    byte[] rest = in.readNBytes(RasReport.MOST_CHARACTERS);
    byte[] all = Arrays.copyOf(begin, begin.length + rest.length);
    System.arraycopy(rest, 0, all, begin.length, rest.length);
    return all;
  }

  private synchronized void keep(KernelNotes notes) {
    files++;
    bytes += notes.bytes();
    if (kernels.size() < MOST_KERNELS) {
      kernels.add(notes);
    }
  }

  private synchronized void keep(RasReport report, long read) {
    files++;
    bytes += read;
    if (reports.size() < MOST_UNREADABLE) {
      reports.add(report);
    }
  }

  private synchronized void keep(InspectorNotes notes, long read) {
    files++;
    bytes += read;
    inspector.merge(notes);
  }

  private synchronized void keep(LogScanner.Notes notes) {
    files++;
    bytes += notes.bytes();
    lines += notes.lines();
    crowded |= notes.crowded();
    speakers.addAll(notes.speakers());
    notes.kernels().stream().limit(MOST_KERNELS - kernels.size()).forEach(kernels::add);
    templates.merge(notes.templates());
    for (Ending ending : notes.endings().all()) {
      if (endings.size() < MOST_ENDINGS) {
        endings.add(ending);
      }
    }
  }

  private synchronized void refuse(String why) {
    if (unreadable.size() < MOST_UNREADABLE) {
      unreadable.add(why);
    }
  }

  /** What all that was read so far tells. */
  public synchronized LogVerdict verdict() {
    List<Speaker> ordered = new ArrayList<>(speakers);
    ordered.sort(
        Comparator.comparing((Speaker speaker) -> speaker.file)
            .thenComparingInt(speaker -> speaker.rank)
            .thenComparingInt(speaker -> speaker.local));
    endings.sort(
        Comparator.comparing((Ending ending) -> ending.said().file())
            .thenComparingLong(ending -> ending.said().line()));
    kernels.sort(Comparator.comparing(KernelNotes::file));
    Scene scene = new Scene(ordered, endings, kernels, reports, inspector);
    Signs signs = new Signs(scene);
    return new LogVerdict(
        FirstFailure.of(scene, signs),
        LogFindings.of(scene),
        Story.templates(scene, templates),
        Story.timeline(scene, signs),
        scene.clocks.all(),
        new LogVolume(
            files,
            bytes,
            lines,
            scene.ranks().size(),
            scene.world,
            List.copyOf(scene.absent),
            List.copyOf(unreadable),
            limits()));
  }

  private List<String> limits() {
    List<String> limits = new ArrayList<>();
    if (templates.unkept() > 0) {
      limits.add(templates.unkept() + " lines of further kinds were not compared between ranks");
    }
    if (crowded) {
      limits.add("a file with more than 100,000 labels: the rest counts as one");
    }
    return limits;
  }
}
