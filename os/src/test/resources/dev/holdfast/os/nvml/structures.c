/* Prints sizes and offsets as the compiler sees them; REAL takes the header of the toolkit. */
#include <stddef.h>
#include <stdio.h>
#ifdef REAL
#include <nvml.h>
#else
#include "nvml-structures.h"
#endif
#define SIZE(type) printf(#type "=%zu\n", sizeof(type))
#define AT(type, member) printf(#type "." #member "=%zu\n", offsetof(type, member))

int main(void) {
  SIZE(nvmlPciInfo_t);
  AT(nvmlPciInfo_t, pciDeviceId);
  AT(nvmlPciInfo_t, pciSubSystemId);
  AT(nvmlPciInfo_t, busId);
  SIZE(nvmlMemory_v2_t);
  AT(nvmlMemory_v2_t, total);
  AT(nvmlMemory_v2_t, reserved);
  AT(nvmlMemory_v2_t, free);
  AT(nvmlMemory_v2_t, used);
  SIZE(nvmlProcessInfo_v2_t);
  AT(nvmlProcessInfo_v2_t, usedGpuMemory);
  SIZE(nvmlEccSramErrorStatus_v1_t);
  AT(nvmlEccSramErrorStatus_v1_t, aggregateUncParity);
  AT(nvmlEccSramErrorStatus_v1_t, aggregateUncSecDed);
  AT(nvmlEccSramErrorStatus_v1_t, volatileUncParity);
  AT(nvmlEccSramErrorStatus_v1_t, volatileUncSecDed);
  AT(nvmlEccSramErrorStatus_v1_t, aggregateUncBucketL2);
  AT(nvmlEccSramErrorStatus_v1_t, aggregateUncBucketSm);
  AT(nvmlEccSramErrorStatus_v1_t, aggregateUncBucketPcie);
  AT(nvmlEccSramErrorStatus_v1_t, aggregateUncBucketMcu);
  AT(nvmlEccSramErrorStatus_v1_t, aggregateUncBucketOther);
  AT(nvmlEccSramErrorStatus_v1_t, bThresholdExceeded);
  SIZE(nvmlRepairStatus_v1_t);
  SIZE(nvmlMarginTemperature_v1_t);
  SIZE(nvmlTemperature_v1_t);
  AT(nvmlTemperature_v1_t, temperature);
  SIZE(nvmlFieldValue_t);
  AT(nvmlFieldValue_t, scopeId);
  AT(nvmlFieldValue_t, valueType);
  AT(nvmlFieldValue_t, nvmlReturn);
  AT(nvmlFieldValue_t, value);
  SIZE(nvmlGpuFabricInfo_v2_t);
  SIZE(nvmlGpuFabricInfo_v3_t);
  AT(nvmlGpuFabricInfo_v3_t, clusterUuid);
  AT(nvmlGpuFabricInfo_v3_t, status);
  AT(nvmlGpuFabricInfo_v3_t, cliqueId);
  AT(nvmlGpuFabricInfo_v3_t, state);
  AT(nvmlGpuFabricInfo_v3_t, healthMask);
  AT(nvmlGpuFabricInfo_v3_t, healthSummary);
  SIZE(nvmlRowRemapperHistogramValues_t);
  return 0;
}
