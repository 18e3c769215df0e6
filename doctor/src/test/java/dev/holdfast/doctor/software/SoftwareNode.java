package dev.holdfast.doctor.software;

import dev.holdfast.doctor.testing.TestNode;

/** Made-up nodes with a driver, GPUs and frameworks, for the tests of this package. */
final class SoftwareNode {
  static final String VENV = "/scratch/venv/lib/python3.12/site-packages";

  private SoftwareNode() {}

  /** A node with this driver and one GPU of this compute capability. */
  static TestNode with(String driver, String capability) {
    return new TestNode()
        .file("/sys/module/nvidia/version", driver + "\n")
        .nvml(
            "driver.version=" + driver,
            "gpu.0.name=NVIDIA Test GPU",
            "gpu.0.compute.capability=" + capability)
        .probe("environment", "VIRTUAL_ENV=/scratch/venv\n");
  }

  /** PyTorch with its version file, as a wheel leaves it. */
  static TestNode torch(TestNode node, String folder, String version, String cuda) {
    String plain = version.split("\\+", 2)[0];
    String value = cuda.isEmpty() ? "None" : "'" + cuda + "'";
    return node.file(folder + "/torch-" + plain + ".dist-info/METADATA", "")
        .file(
            folder + "/torch/version.py",
            """
            from typing import Optional

            __all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip', 'rocm', 'xpu']
            __version__ = '%s'
            debug = False
            cuda: Optional[str] = %s
            git_version = '0fabc3ba44823f257e70ce397d989c8de5e362c1'
            hip: Optional[str] = None
            """
                .formatted(version, value));
  }
}
