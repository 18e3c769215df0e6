package dev.holdfast.launch.supervise;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.holdfast.os.libc.ChildInput;
import dev.holdfast.os.libc.ChildOutput;
import dev.holdfast.os.libc.Reaper.Ended;
import dev.holdfast.os.libc.Signals;
import dev.holdfast.os.process.Children;
import dev.holdfast.os.process.Children.Child;
import dev.holdfast.os.process.ProgramPath;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * The companions: started like ranks, ended with us. What one wrote first (its port) is kept and
 * told again to a new process beside us. Methods belong to the deciding thread.
 */
final class Services {
  private static final int LONGEST_LINE = 1 << 16;
  private static final int KEPT_LINES = 32;
  private static final int CHUNK = 1 << 13;
  private static final int STACK = 1 << 18;
  private static final long GRACE = 2_000_000_000L;

  private final Loop loop;
  private final Children children;
  private final Holding holding;
  private final Environment environment;
  private final Consumer<Event> events;
  private final Semaphore outstanding = new Semaphore(256);
  private final Map<String, Service> services = new LinkedHashMap<>();

  /** One companion; its input stays open as long as we live. */
  private static final class Service {
    final String name;
    final List<String> lines = new ArrayList<>();
    long pid;
    long killAt = Long.MAX_VALUE;
    boolean stopOrdered;
    Optional<ChildInput> input = Optional.empty();

    Service(String name) {
      this.name = name;
    }
  }

  Services(
      Loop loop,
      Children children,
      Holding holding,
      Environment environment,
      Consumer<Event> events) {
    this.loop = loop;
    this.children = children;
    this.holding = holding;
    this.environment = environment;
    this.events = events;
  }

  List<String> names() {
    return List.copyOf(services.keySet());
  }

  Set<Long> pids() {
    Set<Long> pids = new HashSet<>();
    services.values().forEach(service -> pids.add(service.pid));
    pids.remove(0L);
    return pids;
  }

  boolean none() {
    return services.isEmpty();
  }

  /** What the running ones wrote first. */
  List<Event> lines() {
    List<Event> events = new ArrayList<>();
    services
        .values()
        .forEach(it -> it.lines.forEach(line -> events.add(new Event.ServiceLine(it.name, line))));
    return events;
  }

  void start(Order.StartService order) {
    if (services.containsKey(order.name())) {
      events.accept(new Event.Trouble("service " + order.name() + " runs already"));
      return;
    }
    Service service = new Service(order.name());
    services.put(order.name(), service);
    var _ =
        children
            .onStarter(() -> begin(order, service))
            .whenComplete(
                (pid, problem) ->
                    loop.post(
                        () -> {
                          if (problem != null) {
                            services.remove(service.name);
                            events.accept(
                                new Event.Trouble(
                                    "service "
                                        + service.name
                                        + " cannot be started: "
                                        + problem.getMessage()));
                            events.accept(new Event.ServiceEnded(service.name, 127, 0));
                            return;
                          }
                          service.pid = pid;
                          if (service.stopOrdered) {
                            children.signal(pid, Signals.TERMINATE, true);
                          }
                        }));
  }

  private long begin(Order.StartService order, Service service) throws IOException {
    Environment own = environment.with(order.environment());
    List<String> command = new ArrayList<>(order.command());
    command.set(0, ProgramPath.require(command.getFirst(), own.path()));
    ChildOutput output = ChildOutput.open();
    try {
      ChildInput input = ChildInput.open();
      service.input = Optional.of(input);
      Child child =
          new Child(
              Environment.words(holding.wrap(command, Optional.empty())),
              own.lines(),
              new BitSet(),
              input.readEnd(),
              output.writeEnd(),
              2);
      long pid = children.start(child, end -> loop.post(() -> ended(service, end)));
      input.closeReadEnd();
      output.closeWriteEnd();
      Thread.ofPlatform()
          .name("lines of " + order.name())
          .stackSize(STACK)
          .daemon()
          .start(() -> read(service, output));
      return pid;
    } catch (IOException problem) {
      service.input.ifPresent(ChildInput::close);
      output.close();
      throw problem;
    }
  }

  private void read(Service service, ChildOutput output) {
    LineBuffer buffer = new LineBuffer(LONGEST_LINE);
    byte[] bytes = new byte[CHUNK];
    try (output;
        Arena arena = Arena.ofConfined()) {
      MemorySegment chunk = arena.allocate(CHUNK, 8);
      int count = 0;
      while (count >= 0) {
        count = output.read(chunk);
        if (count > 0) {
          MemorySegment.copy(chunk, JAVA_BYTE, 0, bytes, 0, count);
          for (String line : buffer.add(bytes, count)) {
            outstanding.acquireUninterruptibly();
            loop.post(() -> line(service, line));
          }
        } else if (count == 0) {
          output.await(-1);
        }
      }
    } catch (IllegalArgumentException tooLong) {
      loop.post(
          () ->
              events.accept(
                  new Event.Trouble(
                      "service "
                          + service.name
                          + " wrote "
                          + tooLong.getMessage()
                          + "; its output is no longer read")));
    }
  }

  private void line(Service service, String line) {
    outstanding.release();
    if (service.lines.size() < KEPT_LINES) {
      service.lines.add(line);
    }
    events.accept(new Event.ServiceLine(service.name, line));
  }

  private void ended(Service service, Ended end) {
    service.input.ifPresent(ChildInput::close);
    services.remove(service.name, service);
    events.accept(new Event.ServiceEnded(service.name, end.exitCode(), end.signal()));
  }

  void stop(String name, long now) {
    Service service = services.get(name);
    if (service != null && !service.stopOrdered) {
      service.stopOrdered = true;
      service.killAt = now + GRACE;
      if (service.pid > 0) {
        children.signal(service.pid, Signals.TERMINATE, true);
      }
    }
  }

  void stopAll(long now) {
    names().forEach(name -> stop(name, now));
  }

  /** Does what is due and tells when to be called again at the latest. */
  long advance(long now) {
    long again = Long.MAX_VALUE;
    for (Service service : services.values()) {
      if (now >= service.killAt && service.pid > 0) {
        children.signal(service.pid, Signals.KILL, true);
        service.killAt = now + GRACE;
      }
      again = Math.min(again, service.killAt);
    }
    return again;
  }
}
