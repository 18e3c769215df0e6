package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.Optional;

/**
 * Whether packages of one Python environment leak into another. Only mixtures that are known to
 * break are told: packages of another Python version, a framework in the home folder that hides the
 * environment's own, an activated environment that is not the one {@code python} starts.
 */
public final class PythonMixture implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "software.python.environment",
              "Is the Python environment free of packages from another one?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(
              "environment PYTHONPATH, VIRTUAL_ENV, CONDA_PREFIX, PATH, PYTHONNOUSERSITE",
              "~/.local/lib/python*/site-packages")
          .meaning(
              "The job imports another torch or NumPy than it was tested with: it fails on this"
                  + " node or for this user only, or computes with another version unnoticed.")
          .remedy("unset PYTHONPATH; export PYTHONNOUSERSITE=1");

  private static final List<String> FRAMEWORKS = List.of("torch", "tensorflow", "jax", "numpy");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Variables variables = Variables.of(exam.node());
    List<PythonFolder> folders = PythonFolders.of(exam.node(), variables);
    Optional<String> prefix =
        variables.value("VIRTUAL_ENV").or(() -> variables.value("CONDA_PREFIX"));
    Optional<PythonFolder> own =
        folders.stream()
            .filter(folder -> prefix.filter(folder.path()::startsWith).isPresent())
            .findFirst();
    if (prefix.isEmpty() && variables.value("PYTHONPATH").isEmpty()) {
      return;
    }
    foreignVersion(exam, variables, own);
    otherInterpreter(exam, variables);
    homePackages(exam, variables, folders, own);
    exam.pass(prefix.map(path -> "uses " + path).orElse("PYTHONPATH is consistent"));
  }

  private static void foreignVersion(
      Examination exam, Variables variables, Optional<PythonFolder> own) {
    Optional<Version> python = own.flatMap(PythonFolder::python);
    for (String path : variables.folders("PYTHONPATH")) {
      Optional<Version> other = PythonFolder.read(exam.node(), path, true).python();
      if (python.isPresent() && other.isPresent() && !python.get().equals(other.get())) {
        exam.warning(
                exam.here(),
                "PYTHONPATH adds packages of Python %s to an environment of Python %s"
                    .formatted(other.get(), python.get()))
            .evidence("environment PYTHONPATH", path)
            .evidence("environment in use", own.get().path())
            .remedy("Take " + path + " out of PYTHONPATH");
      }
    }
  }

  private static void otherInterpreter(Examination exam, Variables variables) {
    Optional<String> virtual = variables.value("VIRTUAL_ENV");
    Optional<String> conda = variables.value("CONDA_PREFIX");
    List<String> path = variables.folders("PATH");
    if (virtual.isEmpty() || conda.isEmpty()) {
      return;
    }
    int first = path.indexOf(virtual.get() + "/bin");
    int second = path.indexOf(conda.get() + "/bin");
    if (second >= 0 && (first < 0 || second < first)) {
      exam.warning(
              exam.here(), "a virtual environment is activated, but python starts the Conda one")
          .evidence("environment VIRTUAL_ENV", virtual.get())
          .evidence("environment PATH", "first of both is " + conda.get() + "/bin")
          .remedy("conda deactivate, then activate " + virtual.get() + " again");
    }
  }

  private static void homePackages(
      Examination exam,
      Variables variables,
      List<PythonFolder> folders,
      Optional<PythonFolder> own) {
    boolean ignored =
        variables.value("VIRTUAL_ENV").isPresent()
            || variables.value("PYTHONNOUSERSITE").isPresent();
    Optional<String> home = variables.value("HOME");
    if (ignored || own.isEmpty() || home.isEmpty()) {
      return;
    }
    for (PythonFolder folder : folders) {
      if (folder.path().startsWith(home.get() + "/.local/")
          && folder.python().equals(own.get().python())) {
        hidden(exam, folder, own.get());
      }
    }
  }

  private static void hidden(Examination exam, PythonFolder home, PythonFolder own) {
    for (String name : FRAMEWORKS) {
      Optional<Version> mine = home.version(name);
      Optional<Version> theirs = own.version(name);
      if (mine.isPresent()
          && theirs.isPresent()
          && !mine.get().text().equals(theirs.get().text())) {
        exam.warning(
                exam.here(),
                "%s %s in the home folder hides %s of the environment"
                    .formatted(name, mine.get(), theirs.get()))
            .evidence(home.path(), name + " " + mine.get())
            .evidence(own.path(), name + " " + theirs.get())
            .remedy(
                "export PYTHONNOUSERSITE=1, or pip uninstall " + name + " from the home folder");
      }
    }
  }
}
