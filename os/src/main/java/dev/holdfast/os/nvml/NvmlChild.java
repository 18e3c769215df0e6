package dev.holdfast.os.nvml;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The program that talks to NVML, so that a hang or crash inside the driver's library hits this
 * process and not the one that watches over the node.
 *
 * <p>Requests come as lines on standard input: {@code node} for what concerns the whole node,
 * {@code device 3} for one device, {@code load 3} for how busy it is, {@code present 3} for whether
 * it still answers. Answers go to standard output in the form of {@link Answer}. One thread asks
 * the library; the first one reads the requests and ends the process at once when its parent closes
 * the pipe or dies, even while the other is caught in a call.
 *
 * <p>Start-up is most of its life, hence no lambdas, no string joining, few classes.
 */
public final class NvmlChild implements Runnable {
  /** Names another library than the driver's, for tests. Also read from the environment. */
  static final String LIBRARY_PROPERTY = "holdfast.nvml.library";

  static final String LIBRARY_VARIABLE = "HOLDFAST_NVML_LIBRARY";

  private static final String LIBRARY = "libnvidia-ml.so.1";

  /** Where containerised drivers and some distributions keep it, unknown to the loader. */
  private static final String[] FOLDERS = {
    "/usr/local/nvidia/lib64/",
    "/run/nvidia/driver/usr/lib/x86_64-linux-gnu/",
    "/run/nvidia/driver/usr/lib/aarch64-linux-gnu/",
    "/run/nvidia/driver/usr/lib64/",
    "/home/kubernetes/bin/nvidia/lib64/",
    "/usr/lib/wsl/lib/"
  };

  private static final int MOST_DEVICES = 256;
  private static final int MOST_REQUEST = 64;

  private final LinkedBlockingQueue<String> requests = new LinkedBlockingQueue<>(1024);
  private final Answer answer = new Answer(new FileOutputStream(FileDescriptor.out));
  private String libraryName = LIBRARY;
  private int started = Integer.MIN_VALUE;
  private int driver;

  private NvmlChild() {}

  public static void main(String[] arguments) throws IOException {
    NvmlChild child = new NvmlChild();
    Thread asker = new Thread(child, "nvml");
    asker.setDaemon(true);
    asker.start();
    child.readRequests(new FileInputStream(FileDescriptor.in));
    Runtime.getRuntime().halt(0);
  }

  /**
   * Goes the way of a reading without NVML, in this process: asks the C library, which has none of
   * the functions, so nothing happens but the loading of classes. For training the start-up cache,
   * which the child shares with the program that starts it.
   */
  public static void rehearse() throws IOException {
    Answer answer = new Answer(OutputStream.nullOutputStream());
    NvmlLibrary library = new NvmlLibrary("libc.so.6", answer);
    library.call("getpid", 0, 0, 0, 0, 0, 0);
    answer.device(0);
    new NvmlDevice(new Inquiry(library, answer, 0, 0)).askAll();
    answer.end();
  }

  private void readRequests(InputStream input) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int letter = input.read(); letter >= 0; letter = input.read()) {
      if (letter != '\n') {
        line.append((char) letter);
      } else if (line.length() <= MOST_REQUEST && requests.offer(line.toString())) {
        line.setLength(0);
      } else {
        return;
      }
    }
  }

  @Override
  public void run() {
    try {
      NvmlLibrary library = open();
      while (true) {
        String request = requests.take();
        answer.device(-1);
        if (library == null) {
          answer.word("library.present", "false");
          answer.word("library.error", libraryName.concat(" cannot be loaded: no NVIDIA driver"));
        } else if (request.equals("node")) {
          node(library);
        } else if (request.startsWith("device ")) {
          NvmlDevice device = device(library, Integer.parseInt(request, 7, request.length(), 10));
          if (device != null) {
            device.askAll();
          }
        } else if (request.startsWith("load ")) {
          NvmlDevice device = device(library, Integer.parseInt(request, 5, request.length(), 10));
          if (device != null) {
            device.askLoad();
          }
        } else if (request.startsWith("present ")) {
          NvmlDevice device = device(library, Integer.parseInt(request, 8, request.length(), 10));
          if (device != null) {
            device.askPresence();
          }
        } else if (request.startsWith("inforom ")) {
          NvmlDevice device = device(library, Integer.parseInt(request, 8, request.length(), 10));
          if (device != null) {
            device.validateInforom();
          }
        }
        answer.end();
      }
    } catch (IOException | InterruptedException | NumberFormatException _) {
      Runtime.getRuntime().halt(1);
    }
  }

  private @Nullable NvmlLibrary open() {
    String chosen = System.getProperty(LIBRARY_PROPERTY, System.getenv(LIBRARY_VARIABLE));
    if (chosen != null && !chosen.isEmpty()) {
      return open(chosen);
    }
    NvmlLibrary library = open(LIBRARY);
    for (int index = 0; library == null && index < FOLDERS.length; index++) {
      String path = FOLDERS[index].concat(LIBRARY);
      library = new File(path).exists() ? open(path) : null;
    }
    return library;
  }

  private @Nullable NvmlLibrary open(String name) {
    libraryName = name;
    try {
      return new NvmlLibrary(name, answer);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  /**
   * Starts the library; that no device is found is not an error of the start.
   *
   * <p>Not with the flag that attaches no devices: then the library counts none (seen on an H200
   * with driver 580).
   */
  private int start(NvmlLibrary library) throws IOException {
    if (started == Integer.MIN_VALUE) {
      int evenWithoutDevices = 1;
      started = library.call("nvmlInitWithFlags", evenWithoutDevices, 0, 0, 0, 0, 0);
      if (started == NvmlLibrary.FUNCTION_MISSING) {
        started = library.call("nvmlInit_v2", 0, 0, 0, 0, 0, 0);
      }
      driver = driver(library);
    }
    return started;
  }

  /** The number before the first dot of the driver's version. */
  private static int driver(NvmlLibrary library) throws IOException {
    int size = 80;
    String function = "nvmlSystemGetDriverVersion";
    int major = 0;
    if (library.call(function, library.place(0, size), size, 0, 0, 0, 0) == NvmlWords.SUCCESS) {
      for (int index = 0; index < 4; index++) {
        int digit = library.getByte(index) - '0';
        if (digit < 0 || digit > 9) {
          return major;
        }
        major = 10 * major + digit;
      }
    }
    return major;
  }

  private void node(NvmlLibrary library) throws IOException {
    answer.word("library.present", "true");
    answer.word("library.name", libraryName);
    // The versions can be asked, and are wanted most, when the start fails: a library that does
    // not match the loaded driver is a common fault.
    int start = start(library);
    Inquiry ask = new Inquiry(library, answer, 0, driver);
    systemText(library, ask, "driver.version", "nvmlSystemGetDriverVersion");
    systemText(library, ask, "nvml.version", "nvmlSystemGetNVMLVersion");
    if (start != NvmlWords.SUCCESS) {
      answer.refused("nvml.start", NvmlWords.code(start));
      answer.word("library.error", "NVML does not start: ".concat(NvmlWords.code(start)));
      return;
    }
    long place = library.place(0, 8);
    int code = library.call("nvmlSystemGetCudaDriverVersion_v2", place, 0, 0, 0, 0, 0);
    if (ask.answered("cuda.version", code)) {
      int version = library.getInt(0);
      answer.version("cuda.version", version / 1000, version % 1000 / 10);
    }
    code = library.call("nvmlDeviceGetCount_v2", library.place(0, 8), 0, 0, 0, 0, 0);
    if (ask.answered("gpu.count", code)) {
      ask.plausible("gpu.count", library.getUnsigned(0), MOST_DEVICES);
    }
  }

  private void systemText(NvmlLibrary library, Inquiry ask, String key, String function)
      throws IOException {
    int size = 80;
    int code = library.call(function, library.place(0, size), size, 0, 0, 0, 0);
    if (ask.answered(key, code)) {
      answer.word(key, library.getText(0, size));
    }
  }

  private @Nullable NvmlDevice device(NvmlLibrary library, int index) throws IOException {
    int code = start(library);
    String function = "nvmlDeviceGetHandleByIndex_v2";
    if (code == NvmlWords.SUCCESS) {
      code = library.call(function, index, library.place(0, 8), 0, 0, 0, 0);
    }
    answer.device(index);
    if (code != NvmlWords.SUCCESS) {
      answer.failed(function, NvmlWords.code(code));
      return null;
    }
    return new NvmlDevice(new Inquiry(library, answer, library.getPointer(0), driver));
  }
}
