package dev.holdfast.bench.net;

import dev.holdfast.bench.net.Step.Local;
import dev.holdfast.bench.net.Step.Piece;
import dev.holdfast.bench.net.Step.Transfer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Does the steps of an operation over the links of a rank. One thread does everything: it sends and
 * receives by turns, so that adding overlaps with what the kernel or the other rank does meanwhile.
 */
final class Flow {
  /** So long are the pieces moved at a time: they stay in cache between the copies. */
  private static final long MOST = 256 << 10;

  private final Mesh mesh;
  private final List<MemorySegment> buffers;
  private final long silenceNanos;
  private final AtomicReference<@Nullable String> stop;

  /**
   * @param silenceNanos when nothing moved for so long, the operation has failed
   * @param stop why to give up, once somebody says so
   */
  Flow(
      Mesh mesh,
      List<MemorySegment> buffers,
      long silenceNanos,
      AtomicReference<@Nullable String> stop) {
    this.mesh = mesh;
    this.buffers = List.copyOf(buffers);
    this.silenceNanos = silenceNanos;
    this.stop = stop;
  }

  void run(List<Step> steps, Element element) throws IOException {
    for (Step step : steps) {
      switch (step) {
        case Local(Piece from, Piece to) ->
            MemorySegment.copy(
                buffers.get(from.buffer()),
                from.at(),
                buffers.get(to.buffer()),
                to.at(),
                to.bytes());
        case Transfer transfer -> new Moving(transfer, element).run();
      }
    }
  }

  /** One transfer on its way. */
  private final class Moving {
    private final Transfer transfer;
    private final Element element;
    private final @Nullable Link to;
    private final @Nullable Link from;
    private final long outBytes;
    private final long inBytes;
    private long sent;
    private long received;
    private int outPiece;
    private long outAt;
    private int inPiece;
    private long inAt;

    Moving(Transfer transfer, Element element) {
      this.transfer = transfer;
      this.element = element;
      this.to = transfer.to() < 0 ? null : mesh.link(transfer.to());
      this.from = transfer.from() < 0 ? null : mesh.link(transfer.from());
      this.outBytes = total(transfer.out());
      this.inBytes = total(transfer.in());
    }

    private static long total(List<Piece> pieces) {
      long total = 0;
      for (int i = 0; i < pieces.size(); i++) {
        total += pieces.get(i).bytes();
      }
      return total;
    }

    void run() throws IOException {
      int empty = 0;
      long since = 0;
      while (sent < outBytes || received < inBytes) {
        long moved = send() + receive();
        if (moved > 0) {
          if (empty > mesh.spins()) {
            mesh.awake();
          }
          empty = 0;
          continue;
        }
        empty++;
        if (empty <= mesh.spins()) {
          Thread.onSpinWait();
          continue;
        }
        if (empty == mesh.spins() + 1) {
          since = System.nanoTime();
        }
        giveUpIfNeeded(since);
        if (empty <= mesh.spins() + mesh.yields()) {
          Thread.yield();
        } else {
          mesh.sleep(mayWrite() ? to : null, mayRead() ? from : null);
        }
      }
    }

    private boolean mayWrite() {
      return sent < Math.min(outBytes, transfer.credit() + received);
    }

    private boolean mayRead() {
      return received < (transfer.behind() ? sent : inBytes);
    }

    private long send() throws IOException {
      long may = Math.min(outBytes, transfer.credit() + received) - sent;
      if (to == null || may <= 0) {
        return 0;
      }
      Piece piece = transfer.out().get(outPiece);
      while (outAt == piece.bytes()) {
        piece = transfer.out().get(++outPiece);
        outAt = 0;
      }
      long bytes = Math.min(MOST, Math.min(may, piece.bytes() - outAt));
      long taken = to.send(buffers.get(piece.buffer()), piece.at() + outAt, bytes);
      outAt += taken;
      sent += taken;
      return taken;
    }

    private long receive() throws IOException {
      long may = (transfer.behind() ? sent : inBytes) - received;
      if (from == null || may <= 0) {
        return 0;
      }
      Piece piece = transfer.in().get(inPiece);
      while (inAt == piece.bytes()) {
        piece = transfer.in().get(++inPiece);
        inAt = 0;
      }
      long bytes = Math.min(MOST, Math.min(may, piece.bytes() - inAt));
      MemorySegment buffer = buffers.get(piece.buffer());
      long got;
      if (inPiece < transfer.adding()) {
        // What was sent may end within an element; only whole ones can be added.
        bytes -= bytes % element.bytes();
        got = bytes == 0 ? 0 : from.receiveAdding(buffer, piece.at() + inAt, bytes, element);
      } else {
        got = from.receive(buffer, piece.at() + inAt, bytes);
      }
      inAt += got;
      received += got;
      return got;
    }

    private void giveUpIfNeeded(long since) throws IOException {
      String why = stop.get();
      if (why != null) {
        throw new IOException(why);
      }
      if (System.nanoTime() - since > silenceNanos) {
        boolean waits = mayRead();
        int peer = waits ? transfer.from() : transfer.to();
        throw new LinkFault(
            peer,
            false,
            "nothing %s rank %d for %.0f s"
                .formatted(waits ? "came from" : "could be sent to", peer, silenceNanos / 1e9));
      }
    }
  }
}
