package dev.holdfast.os.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.testing.Compiler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Are the sizes and offsets in our code those a C compiler gives the library's structures? */
class StructuresTest {
  @TempDir Path folder;

  @Test
  void sizesAndOffsetsAreThoseOfTheCompiler() {
    Map<String, Integer> c = measure();
    assertThat(c)
        .containsEntry("nvmlPciInfo_t", NvmlDevice.PCI_SIZE)
        .containsEntry("nvmlPciInfo_t.pciDeviceId", 28)
        .containsEntry("nvmlPciInfo_t.pciSubSystemId", 32)
        .containsEntry("nvmlPciInfo_t.busId", NvmlDevice.PCI_BUS_ID)
        .containsEntry("nvmlMemory_v2_t", NvmlMemory.MEMORY_SIZE)
        .containsEntry("nvmlMemory_v2_t.total", 8)
        .containsEntry("nvmlMemory_v2_t.reserved", 16)
        .containsEntry("nvmlMemory_v2_t.free", 24)
        .containsEntry("nvmlMemory_v2_t.used", 32)
        .containsEntry("nvmlProcessInfo_v2_t", NvmlDevice.PROCESS_SIZE)
        .containsEntry("nvmlProcessInfo_v2_t.usedGpuMemory", 8)
        .containsEntry("nvmlEccSramErrorStatus_v1_t", NvmlMemory.SRAM_SIZE)
        .containsEntry("nvmlEccSramErrorStatus_v1_t.aggregateUncParity", 8)
        .containsEntry("nvmlEccSramErrorStatus_v1_t.aggregateUncSecDed", 16)
        .containsEntry("nvmlEccSramErrorStatus_v1_t.volatileUncParity", 32)
        .containsEntry("nvmlEccSramErrorStatus_v1_t.volatileUncSecDed", 40)
        .containsEntry("nvmlEccSramErrorStatus_v1_t.aggregateUncBucketL2", 56)
        .containsEntry("nvmlEccSramErrorStatus_v1_t.aggregateUncBucketSm", 64)
        .containsEntry("nvmlEccSramErrorStatus_v1_t.aggregateUncBucketPcie", 72)
        .containsEntry("nvmlEccSramErrorStatus_v1_t.aggregateUncBucketMcu", 80)
        .containsEntry("nvmlEccSramErrorStatus_v1_t.aggregateUncBucketOther", 88)
        .containsEntry("nvmlEccSramErrorStatus_v1_t.bThresholdExceeded", 96)
        .containsEntry("nvmlRepairStatus_v1_t", NvmlMemory.REPAIR_SIZE)
        .containsEntry("nvmlMarginTemperature_v1_t", NvmlDevice.MARGIN_SIZE)
        .containsEntry("nvmlTemperature_v1_t", NvmlDevice.TEMPERATURE_SIZE)
        .containsEntry("nvmlTemperature_v1_t.temperature", 8)
        .containsEntry("nvmlFieldValue_t", NvmlFields.SIZE)
        .containsEntry("nvmlFieldValue_t.scopeId", 4)
        .containsEntry("nvmlFieldValue_t.valueType", 24)
        .containsEntry("nvmlFieldValue_t.nvmlReturn", 28)
        .containsEntry("nvmlFieldValue_t.value", 32)
        .containsEntry("nvmlGpuFabricInfo_v2_t", NvmlFabric.FABRIC_SIZE)
        .containsEntry("nvmlGpuFabricInfo_v3_t", NvmlFabric.FABRIC_SIZE_WITH_SUMMARY)
        .containsEntry("nvmlGpuFabricInfo_v3_t.clusterUuid", 4)
        .containsEntry("nvmlGpuFabricInfo_v3_t.status", 20)
        .containsEntry("nvmlGpuFabricInfo_v3_t.cliqueId", 24)
        .containsEntry("nvmlGpuFabricInfo_v3_t.state", 28)
        .containsEntry("nvmlGpuFabricInfo_v3_t.healthMask", 32)
        .containsEntry("nvmlGpuFabricInfo_v3_t.healthSummary", 36)
        .containsEntry("nvmlRowRemapperHistogramValues_t", 20);
  }

  /** With the header of an installed toolkit where it is new enough, else with our own. */
  private Map<String, Integer> measure() {
    Compiler.source(StructuresTest.class, "nvml-structures.h", folder);
    String source = Compiler.source(StructuresTest.class, "structures.c", folder).toString();
    Path program = folder.resolve("structures");
    List<String> own = List.of("-w", "-o", program.toString(), source);
    List<String> real = new ArrayList<>(List.of("-DREAL", "-I/usr/local/cuda/include"));
    real.addAll(own);
    if (!Compiler.attempt(real).succeeded()) {
      Compiler.compile(own);
    }
    return Compiler.numbers(program);
  }
}
