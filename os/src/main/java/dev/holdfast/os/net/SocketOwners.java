package dev.holdfast.os.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which processes of this machine have the client's end of connections to a port, and which one
 * listens there. TCP does not say; the kernel's tables do, by way of the socket's inode and every
 * process's open files. That is slow where there are many processes, so it has a deadline, and what
 * was found until then is the answer. Processes of others and of other network namespaces are not
 * seen.
 */
public final class SocketOwners {
  private static final int MOST_LINES = 500_000;
  private static final int MOST_FILES = 65_536;

  private static final String[] TABLES = {"tcp", "tcp6"};
  private static final String LISTENS = "0A";

  private final Path proc;

  public SocketOwners(Path proc) {
    this.proc = proc;
  }

  /**
   * The process of each client port.
   *
   * @param server the port they are connected to
   * @param clients the ports of the clients
   */
  public Map<Integer, Long> of(int server, Set<Integer> clients, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    Map<String, Integer> byLink = new HashMap<>();
    for (String table : TABLES) {
      readTable(proc.resolve("net").resolve(table), server, clients, byLink);
    }
    return owners(byLink, deadline);
  }

  /** The process that listens on a port, empty: none, or none that this user may look at. */
  public Optional<Long> listener(int port, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    Map<String, Integer> byLink = new HashMap<>();
    for (String table : TABLES) {
      rows(
          proc.resolve("net").resolve(table),
          words -> {
            if (words[3].equals(LISTENS) && port(words[1]) == port) {
              byLink.put("socket:[" + words[9] + "]", port);
            }
          });
    }
    return Optional.ofNullable(owners(byLink, deadline).get(port));
  }

  private Map<Integer, Long> owners(Map<String, Integer> byLink, long deadline) {
    Map<Integer, Long> owners = new HashMap<>();
    if (byLink.isEmpty()) {
      return owners;
    }
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[1-9]*")) {
      for (Path process : processes) {
        if (owners.size() == byLink.size() || System.nanoTime() - deadline > 0) {
          break;
        }
        look(process, byLink, owners);
      }
    } catch (IOException | DirectoryIteratorException unreadable) {
      // What was found is the answer.
    }
    return owners;
  }

  private static void readTable(
      Path table, int server, Set<Integer> clients, Map<String, Integer> byLink) {
    rows(
        table,
        words -> {
          if (port(words[2]) == server && clients.contains(port(words[1]))) {
            byLink.put("socket:[" + words[9] + "]", port(words[1]));
          }
        });
  }

  private static void rows(Path table, Consumer<String[]> row) {
    try (BufferedReader lines = Files.newBufferedReader(table)) {
      String line = lines.readLine(); // the heading
      for (int i = 0; i < MOST_LINES && line != null; i++) {
        line = lines.readLine();
        String[] words = line == null ? new String[0] : line.strip().split("\\s+", 11);
        if (words.length > 9) {
          row.accept(words);
        }
      }
    } catch (IOException | NumberFormatException unreadable) {
      // A kernel without this family of addresses.
    }
  }

  private static int port(String end) {
    return Integer.parseInt(end.substring(end.lastIndexOf(':') + 1), 16);
  }

  private static void look(Path process, Map<String, Integer> byLink, Map<Integer, Long> owners) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      int count = 0;
      for (Path file : files) {
        Integer client = byLink.get(Files.readSymbolicLink(file).toString());
        if (client != null) {
          owners.put(client, Long.parseLong(String.valueOf(process.getFileName())));
        }
        if (++count > MOST_FILES) {
          return;
        }
      }
    } catch (IOException | DirectoryIteratorException | NumberFormatException goneOrNotOurs) {
      // It ended, or belongs to somebody else.
    }
  }
}
