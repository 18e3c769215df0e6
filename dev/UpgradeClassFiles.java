import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes old libraries fit for the ahead-of-time cache: rewrites, in every jar of a folder, the
 * classes compiled for Java 5 or older.
 *
 * <p>The virtual machine does not archive such classes, because they carry no stack maps and are
 * verified by the old, slow verifier; picocli consists of 228 of them, and they alone double the
 * time `holdfast version` takes. Only the version and the stack maps change, no instruction does.
 * Jars without old classes are left untouched, so running this twice changes nothing.
 */
public class UpgradeClassFiles {
  private static final long LARGEST_ENTRY = 64 << 20;

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException("expected one folder of jars");
    }
    List<Path> jars;
    try (var files = Files.list(Path.of(arguments[0]))) {
      jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    for (Path jar : jars) {
      upgradeJar(jar, jars);
    }
  }

  private static void upgradeJar(Path jar, List<Path> classPath) throws IOException {
    Path fresh = jar.resolveSibling(jar.getFileName() + ".new");
    int count;
    try (ZipFile from = new ZipFile(jar.toFile())) {
      count = countOldClasses(from);
      if (count == 0) {
        return;
      }
      try (URLClassLoader loader = loader(classPath);
          ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(fresh))) {
        // Classes are parsed, never loaded: no code of the library runs here.
        var hierarchy =
            ClassHierarchyResolver.ofResourceParsing(loader)
                .orElse(ClassHierarchyResolver.defaultResolver());
        for (ZipEntry entry : from.stream().toList()) {
          byte[] content = read(from, entry);
          write(to, entry, isOld(entry, content) ? upgradeClass(content, hierarchy) : content);
        }
      }
    }
    Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    System.out.println("upgraded " + count + " classes of " + jar.getFileName());
  }

  private static int countOldClasses(ZipFile jar) throws IOException {
    int count = 0;
    for (ZipEntry entry : jar.stream().toList()) {
      try (InputStream in = jar.getInputStream(entry)) {
        if (isOld(entry, in.readNBytes(8))) {
          count++;
        }
      }
    }
    return count;
  }

  private static boolean isOld(ZipEntry entry, byte[] content) {
    if (!entry.getName().endsWith(".class") || content.length < 8) {
      return false;
    }
    int major = (content[6] & 0xff) << 8 | (content[7] & 0xff);
    return major < ClassFile.JAVA_6_VERSION;
  }

  private static byte[] upgradeClass(byte[] content, ClassHierarchyResolver hierarchy) {
    // Stack maps are computed only for code that is written anew: hence the new constant pool.
    ClassFile classFile =
        ClassFile.of(
            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
            ClassFile.ConstantPoolSharingOption.NEW_POOL,
            ClassFile.ClassHierarchyResolverOption.of(hierarchy));
    ClassTransform version =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
          } else {
            builder.with(element);
          }
        };
    ClassTransform code = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL);
    byte[] upgraded = classFile.transformClass(classFile.parse(content), version.andThen(code));
    var errors = classFile.verify(upgraded);
    if (!errors.isEmpty()) {
      throw errors.getFirst();
    }
    return upgraded;
  }

  private static byte[] read(ZipFile from, ZipEntry entry) throws IOException {
    if (entry.getSize() > LARGEST_ENTRY) {
      throw new IOException(from.getName() + ": " + entry.getName() + " is too large");
    }
    try (InputStream in = from.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  private static void write(ZipOutputStream to, ZipEntry entry, byte[] content) throws IOException {
    ZipEntry copy = new ZipEntry(entry.getName());
    copy.setTimeLocal(entry.getTimeLocal());
    to.putNextEntry(copy);
    to.write(content);
    to.closeEntry();
  }

  private static URLClassLoader loader(List<Path> jars) throws IOException {
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = jars.get(i).toUri().toURL();
    }
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }
}
