package dev.holdfast.agent.link;

import dev.holdfast.agent.memory.Memory;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import dev.holdfast.os.process.Heartbeats;
import dev.holdfast.os.server.ServerRefusal;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Keeps the control plane told: sends what waits, in order, and goes on from where the control
 * plane says it is. Another thread waits for what it asks, which also lets it know that we live.
 */
public final class Sender implements AutoCloseable {
  private static final int BATCH = 500;
  private static final Duration IDLE = Duration.ofSeconds(5);
  private static final int MOST_COMPLAINTS = 20;

  /** Another machine speaks for this node. */
  private static final int TAKEN = 409;

  private static final Duration POLL = Duration.ofSeconds(25);

  /** Two questions with their deadlines, and the longest pause between tries. */
  private static final Duration STUCK = Duration.ofMinutes(3);

  /** What is asked and not answered yet is asked again; not as fast as the network can. */
  private static final Duration ANSWERING = Duration.ofSeconds(1);

  private final ControlLink link;
  private final Memory memory;
  private final InstantSource clock;
  private final Supplier<List<Statement>> standing;
  private final Consumer<List<Finding>> adopt;
  private final Predicate<List<Request>> asked;
  private Heartbeats.Beat sending = Heartbeats.UNSEEN;
  private Heartbeats.Beat polling = Heartbeats.UNSEEN;
  private final Consumer<String> messages;
  private final BiConsumer<String, String> denied;
  private final Set<String> complained = ConcurrentHashMap.newKeySet();
  private volatile long refused;
  private volatile boolean ended;
  private volatile boolean connected;
  private volatile String trouble = "not connected yet";
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  /**
   * @param standing everything that holds, for a control plane that lost what it knew
   * @param adopt gets what holds in its eyes, when we lost what we knew
   * @param asked gets what is asked, repeatedly until it is answered; says at once whether any of
   *     it is new
   * @param messages gets, once for each reason, what the control plane does not take
   * @param denied gets the reports it does not take, and why
   */
  public Sender(
      ControlLink link,
      Memory memory,
      InstantSource clock,
      Supplier<List<Statement>> standing,
      Consumer<List<Finding>> adopt,
      Predicate<List<Request>> asked,
      Consumer<String> messages,
      BiConsumer<String, String> denied) {
    this.link = link;
    this.memory = memory;
    this.clock = clock;
    this.standing = standing;
    this.adopt = adopt;
    this.asked = asked;
    this.messages = messages;
    this.denied = denied;
  }

  public void start(Heartbeats heartbeats) {
    Thread sender = Thread.ofVirtual().name("sender").unstarted(this::send);
    Thread poller = Thread.ofVirtual().name("requests").unstarted(this::poll);
    sending = heartbeats.expect("sending reports", STUCK).of(sender);
    polling = heartbeats.expect("fetching requests", STUCK).of(poller);
    threads.addAll(List.of(sender, poller));
    threads.forEach(Thread::start);
  }

  private void send() {
    Patience patience = new Patience();
    boolean greeted = false;
    int most = BATCH;
    while (!ended) {
      sending.beat();
      try {
        List<String> batch = greeted ? memory.next(most, IDLE) : List.of();
        if (greeted && batch.isEmpty()) {
          continue;
        }
        Receipt receipt = link.send(batch);
        refused(receipt.refused(), batch);
        if (!memory.received(receipt)) {
          if (receipt.epoch() >= memory.epoch()) {
            adopt();
          }
          memory.restate(receipt.epoch(), clock.instant(), standing.get());
        }
        greeted = true;
        most = BATCH;
        patience.succeeded();
        connected = true;
        trouble = "";
      } catch (ControlLink.Refused refused) {
        trouble = String.valueOf(refused.getMessage());
        // One bad report must not stop all others: it is found by sending one at a time.
        if (greeted && most == 1) {
          memory.discardFirst(clock.instant());
        }
        most = 1;
        pause(patience);
      } catch (IOException away) {
        connected = false;
        trouble = String.valueOf(away.getMessage());
        if (away instanceof ServerRefusal refusal && refusal.status() == TAKEN) {
          complain("taken", trouble);
        }
        pause(patience);
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** They are acknowledged all the same: saying them again would change nothing. */
  private void refused(List<Receipt.Refused> some, List<String> batch) {
    refused = refused + some.size();
    for (Receipt.Refused one : some) {
      complain(one.reason(), one.why());
      batch.stream()
          .filter(it -> it.contains("\"sequence\":" + one.sequence() + ","))
          .findFirst()
          .ifPresent(it -> denied.accept(it, one.why()));
    }
  }

  private void complain(String reason, String why) {
    if (complained.size() < MOST_COMPLAINTS && complained.add(reason)) {
      messages.accept("the control plane does not take what this agent says: " + why);
    }
  }

  /** How many reports were acknowledged and not taken in, as far as it was told. */
  public long refused() {
    return refused;
  }

  /** It knows more of us than we do: what we once said we must be able to take back. */
  private void adopt() throws InterruptedException {
    try {
      adopt.accept(link.held());
    } catch (IOException unreadable) {
      trouble = "what it holds of us cannot be read: " + unreadable.getMessage();
    }
  }

  private void poll() {
    Patience patience = new Patience();
    while (!ended) {
      polling.beat();
      try {
        List<Request> open = link.requests(POLL);
        patience.succeeded();
        if (!asked.test(open) && !open.isEmpty()) {
          Thread.sleep(ANSWERING);
        }
      } catch (IOException away) {
        pause(patience);
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void pause(Patience patience) {
    try {
      patience.pause();
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  public boolean connected() {
    return connected;
  }

  /** Why nothing can be sent, empty when it can. */
  public String trouble() {
    return trouble;
  }

  @Override
  public void close() {
    ended = true;
    threads.forEach(Thread::interrupt);
    link.close();
  }
}
