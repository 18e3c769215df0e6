package dev.holdfast.os.process;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of TERM, INT and HUP sent to this process, instead of the end of the virtual machine.
 *
 * <p>Through {@code sun.misc.Signal}, the one way Java has. It is called by reflection because the
 * compiler answers its plain use with a warning that nothing can silence. QUIT is not among them:
 * the virtual machine keeps it for its own thread dump.
 */
public final class OutsideSignals {
  private static final List<String> NAMES = List.of("TERM", "INT", "HUP");

  private OutsideSignals() {}

  /**
   * From now on every such signal is told to the listener, from a thread of its own. One that our
   * parent had us ignore (nohup) stays ignored.
   *
   * @return which signals could not be had, with the reason
   */
  public static List<String> listen(IntConsumer listener) {
    List<String> refused = new ArrayList<>();
    for (String name : NAMES) {
      try {
        listen(name, listener);
      } catch (InvocationTargetException problem) {
        refused.add(name + ": " + problem.getCause());
      } catch (ReflectiveOperationException problem) {
        refused.add(name + ": " + problem);
      }
    }
    return refused;
  }

  private static void listen(String name, IntConsumer listener)
      throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Method number = signal.getMethod("getNumber");
    Object proxy =
        Proxy.newProxyInstance(
            OutsideSignals.class.getClassLoader(),
            new Class<?>[] {handler},
            (self, method, arguments) -> answer(self, method, arguments, number, listener));
    signal
        .getMethod("handle", signal, handler)
        .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
  }

  private static @Nullable Object answer(
      Object self,
      Method method,
      @Nullable Object @Nullable [] arguments,
      Method number,
      IntConsumer listener)
      throws ReflectiveOperationException {
    return switch (method.getName()) {
      case "handle" -> {
        if (arguments != null && number.invoke(arguments[0]) instanceof Integer value) {
          listener.accept(value);
        }
        yield null;
      }
      case "equals" -> arguments != null && self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      default -> "signal handler";
    };
  }
}
