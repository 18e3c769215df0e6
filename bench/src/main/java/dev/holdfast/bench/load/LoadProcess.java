package dev.holdfast.bench.load;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Exhaustion;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program that plays the clients, in a process of its own so that it can have cores of its own
 * and its work is never mistaken for that of whoever asks. Reads one measurement a line, answers
 * one line, ends when its input does.
 */
public final class LoadProcess {
  private LoadProcess() {}

  public static void main(String[] arguments) throws IOException {
    Exhaustion.endsProcess();
    int threads = Integer.parseInt(arguments[0]);
    BufferedReader orders =
        new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
    FileOutputStream output = new FileOutputStream(FileDescriptor.out);
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      output.write((Json.line(answer(line, threads)) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    Runtime.getRuntime().halt(0);
  }

  private static Map<String, @Nullable Object> answer(String line, int threads) {
    try {
      return measure(Fields.of("order", Json.object(line)), threads);
    } catch (IOException | RuntimeException failed) {
      String why = failed.getMessage();
      return Json.map("failed", why == null ? failed.toString() : why);
    }
  }

  static Map<String, @Nullable Object> measure(Fields order, int threads) throws IOException {
    Experiments experiments =
        new Experiments(
            new InetSocketAddress(
                InetAddress.getByName(order.text("host", "127.0.0.1")), order.integer("port")),
            new ProcessGauge(order.number("server", 0)),
            threads);
    int clients = order.integer("connections");
    double seconds = order.decimal("seconds", 1);
    return switch (order.text("measure")) {
      case "accept" -> experiments.accept(clients, seconds);
      case "load" ->
          experiments.load(
              order.text("operation"), clients, order.decimal("warmUpSeconds", 1), seconds);
      case "fanOut" -> experiments.fanOut(clients);
      case "cancel" -> experiments.cancel(clients, false);
      case "cancelOwn" -> experiments.cancel(clients, true);
      case "disconnect" -> experiments.disconnect(clients, false);
      case "disconnectOwn" -> experiments.disconnect(clients, true);
      case "memory" -> experiments.memory(clients, seconds);
      default -> throw new IllegalArgumentException("no measurement: " + order.text("measure"));
    };
  }
}
