/* A stand-in for libnvidia-ml.so with two devices, made to misbehave by definitions:
     HANG, CRASH       the function in which to hang or crash, on device TROUBLE
     LOST              the device whose every call answers "GPU is lost"
     LOSE              the function from which on device TROUBLE answers so
     LOST_CODE         another answer than "GPU is lost"
     START             what starting the library answers
     GARBAGE           nonsense in every result
     OLD               only the functions of an ancient library
     DRIVER            the version of the driver
     DEVICES           how many devices to report */
#include <string.h>
#include <unistd.h>
#include "nvml-structures.h"

#ifndef HANG
#define HANG ""
#endif
#ifndef CRASH
#define CRASH ""
#endif
#ifndef TROUBLE
#define TROUBLE 0
#endif
#ifndef LOST
#define LOST (-1)
#endif
#ifndef LOST_CODE
#define LOST_CODE IS_LOST
#endif
#ifndef LOSE
#define LOSE ""
#endif
#ifndef START
#define START 0
#endif
#ifndef GARBAGE
#define GARBAGE 0
#endif
#ifndef DRIVER
#define DRIVER "580.159.04"
#endif
#ifndef DEVICES
#define DEVICES 2u
#endif

enum { OK = 0, INVALID = 2, NOT_SUPPORTED = 3, TOO_SMALL = 7, IS_LOST = 15, VERSION = 25 };

static char devices[2];
static int lost = LOST;
typedef char *device_t;

static int enter(const char *function, device_t device) {
  int index = device == 0 ? 0 : (int)(device - devices);
  if (index != 0 && index != 1) return INVALID;
  if (index == TROUBLE && strcmp(function, HANG) == 0) sleep(60);
  if (index == TROUBLE && strcmp(function, CRASH) == 0) *(volatile int *)0 = 1;
  if (index == TROUBLE && strcmp(function, LOSE) == 0) lost = index;
  return device != 0 && index == lost ? LOST_CODE : OK;
}

#define ENTER(device)                          \
  do {                                         \
    int trouble = enter(__func__, device);     \
    if (trouble != OK) return trouble;         \
  } while (0)

static int text(char *out, unsigned int size, const char *value) {
  if (GARBAGE) {
    memset(out, '\n', size);
    memcpy(out, "\xff=?", 3);
    return OK;
  }
  if (strlen(value) >= size) return TOO_SMALL;
  strcpy(out, value);
  return OK;
}

static int number(unsigned int *out, unsigned int value) {
  *out = GARBAGE ? 0xffffffffu : value;
  return OK;
}

static int large(unsigned long long *out, unsigned long long value) {
  *out = GARBAGE ? ~0ull : value;
  return OK;
}

int nvmlInit_v2(void) { ENTER(0); return START; }
int nvmlDeviceGetCount_v2(unsigned int *count) { ENTER(0); *count = DEVICES; return OK; }
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, device_t *device) {
  if (index >= 2) return INVALID;
  ENTER(devices + index);
  *device = devices + index;
  return OK;
}
int nvmlDeviceGetName(device_t d, char *out, unsigned int size) {
  ENTER(d);
  return text(out, size, "NVIDIA H200");
}

#ifndef OLD
int nvmlInitWithFlags(unsigned int flags) {
  ENTER(0);
  return flags == 1 ? START : INVALID;
}
int nvmlSystemGetDriverVersion(char *out, unsigned int size) { ENTER(0); return text(out, size, DRIVER); }
int nvmlSystemGetNVMLVersion(char *out, unsigned int size) { ENTER(0); return text(out, size, "13.580.159.04"); }
int nvmlSystemGetCudaDriverVersion_v2(int *out) { ENTER(0); return number((unsigned int *)out, 13000); }

#define TEXT(name, value) \
  int name(device_t d, char *out, unsigned int size) { ENTER(d); return text(out, size, value); }
#define NUMBER(name, value) \
  int name(device_t d, unsigned int *out) { ENTER(d); return number(out, value); }
#define NUMBER_OF(name, value) \
  int name(device_t d, unsigned int which, unsigned int *out) { ENTER(d); return number(out, value); }
#define PAIR(name, first, second)                              \
  int name(device_t d, unsigned int *a, unsigned int *b) {     \
    ENTER(d);                                                  \
    number(a, first);                                          \
    return number(b, second);                                  \
  }

TEXT(nvmlDeviceGetUUID, d == devices ? "GPU-00000000-1111-2222-3333-444444444444" : "GPU-2")
TEXT(nvmlDeviceGetSerial, "1650000000000")
TEXT(nvmlDeviceGetBoardPartNumber, "692-2G520-0282-001")
TEXT(nvmlDeviceGetVbiosVersion, "96.00.A5.00.1A")
TEXT(nvmlDeviceGetInforomImageVersion, "G520.0282.02.02")
int nvmlDeviceGetGspFirmwareVersion(device_t d, char *out) { ENTER(d); return text(out, 64, "580.159.04"); }
NUMBER(nvmlDeviceGetMinorNumber, (unsigned int)(d - devices))
NUMBER(nvmlDeviceGetModuleId, 5)
NUMBER(nvmlDeviceGetArchitecture, 9)
PAIR(nvmlDeviceGetCudaComputeCapability, 9, 0)

int nvmlDeviceGetPciInfo_v3(device_t d, nvmlPciInfo_t *out) {
  ENTER(d);
  memset(out, GARBAGE ? 0xff : 0, sizeof *out);
  out->pciDeviceId = 0x233510DE;
  out->pciSubSystemId = 0x18BF10DE;
  return GARBAGE ? OK : text(out->busId, 32, d == devices ? "00000000:00:06.0" : "00000000:C1:00.0");
}
NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, d == devices ? 5 : 3)
NUMBER(nvmlDeviceGetGpuMaxPcieLinkGeneration, 5)
NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, 4)
NUMBER(nvmlDeviceGetCurrPcieLinkWidth, 16)
NUMBER(nvmlDeviceGetMaxPcieLinkWidth, 16)
NUMBER(nvmlDeviceGetPcieReplayCounter, 7)

int nvmlDeviceGetMemoryInfo_v2(device_t d, nvmlMemory_v2_t *out) {
  ENTER(d);
  if (out->version != (sizeof *out | 2 << 24)) return VERSION;
  large(&out->total, 1000);
  large(&out->reserved, 100);
  large(&out->free, 600);
  return large(&out->used, 300);
}
int nvmlDeviceGetBAR1MemoryInfo(device_t d, unsigned long long *out) {
  ENTER(d);
  large(out, 256);
  large(out + 1, 255);
  return large(out + 2, 1);
}
PAIR(nvmlDeviceGetEccMode, 1, 0)
int nvmlDeviceGetMemoryErrorCounter(device_t d, unsigned int error, unsigned int lifetime,
                                    unsigned int location, unsigned long long *out) {
  ENTER(d);
  return large(out, error * 100 + lifetime * 10 + location);
}
int nvmlDeviceGetSramEccErrorStatus(device_t d, nvmlEccSramErrorStatus_v1_t *out) {
  ENTER(d);
  if (out->version != (sizeof *out | 1 << 24)) return VERSION;
  out->aggregateUncParity = 1;
  out->aggregateUncSecDed = 2;
  out->volatileUncParity = 3;
  out->volatileUncSecDed = 4;
  out->aggregateUncBucketL2 = 5;
  out->aggregateUncBucketSm = 6;
  out->aggregateUncBucketPcie = 7;
  out->aggregateUncBucketMcu = 8;
  out->aggregateUncBucketOther = 9;
  out->bThresholdExceeded = 1;
  return OK;
}
int nvmlDeviceGetRepairStatus(device_t d, nvmlRepairStatus_v1_t *out) {
  ENTER(d);
  if (out->version != (sizeof *out | 1 << 24)) return VERSION;
  out->bTpcRepairPending = 1;
  return OK;
}
int nvmlDeviceGetRemappedRows(device_t d, unsigned int *correctable, unsigned int *uncorrectable,
                              unsigned int *pending, unsigned int *failure) {
  ENTER(d);
  number(correctable, 1);
  number(uncorrectable, 2);
  number(pending, 1);
  return number(failure, 0);
}
int nvmlDeviceGetRowRemapperHistogram(device_t d, nvmlRowRemapperHistogramValues_t *out) {
  ENTER(d);
  number(&out->max, 3070);
  number(&out->high, 1);
  number(&out->partial, 0);
  number(&out->low, 1);
  return number(&out->none, 0);
}
int nvmlDeviceGetFieldValues(device_t d, int count, nvmlFieldValue_t *out) {
  ENTER(d);
  for (int index = 0; index < count; index++) {
    nvmlFieldValue_t *field = out + index;
    if (field->fieldId == 193 && count > 1) continue; /* left unanswered in lists, as driver 580 does */
    field->nvmlReturn = OK;
    field->valueType = GARBAGE ? 77 : 1;
    switch (field->fieldId) {
      case 230: field->value.uiVal = d == devices ? 0 : 4; break;
      case 82: field->value.uiVal = 37; break;
      case 193: field->valueType = 5; field->value.siVal = -8; break;
      case 194: field->value.uiVal = (unsigned int)-2; break;
      case 186: field->value.uiVal = 78330; break;
      case 74: field->valueType = 3; field->value.ullVal = 5000000000ull; break;
      case 270: field->valueType = 3; field->value.ullVal = 270; break;
      case 91: field->value.uiVal = 2; break;
      case 161: field->valueType = 3; field->value.ullVal = 10 + field->scopeId; break;
      case 164: field->value.uiVal = 26562; break;
      default: field->nvmlReturn = NOT_SUPPORTED;
    }
  }
  return OK;
}
int nvmlDeviceGetTemperature(device_t d, unsigned int sensor, unsigned int *out) {
  ENTER(d);
  return sensor == 0 ? number(out, 36) : INVALID;
}
#ifndef WITHOUT_NEW_TEMPERATURE
int nvmlDeviceGetTemperatureV(device_t d, nvmlTemperature_v1_t *out) {
  ENTER(d);
  if (out->version != (sizeof *out | 1 << 24)) return VERSION;
  out->temperature = GARBAGE ? -1 : 35;
  return out->sensorType == 0 ? OK : INVALID;
}
#endif
int nvmlDeviceGetTemperatureThreshold(device_t d, unsigned int kind, unsigned int *out) {
  ENTER(d);
  return kind < 2 ? number(out, 92 - 3 * kind) : NOT_SUPPORTED;
}
int nvmlDeviceGetMarginTemperature(device_t d, nvmlMarginTemperature_v1_t *out) {
  ENTER(d);
  if (out->version != (sizeof *out | 1 << 24)) return VERSION;
  out->marginTemperature = 51;
  return OK;
}
NUMBER(nvmlDeviceGetPowerUsage, 116660)
NUMBER(nvmlDeviceGetPowerManagementLimit, 700000)
NUMBER(nvmlDeviceGetEnforcedPowerLimit, 650005)
NUMBER(nvmlDeviceGetPowerManagementDefaultLimit, 700000)
PAIR(nvmlDeviceGetPowerManagementLimitConstraints, 200000, 700000)
NUMBER_OF(nvmlDeviceGetClockInfo, 540 + which)
NUMBER_OF(nvmlDeviceGetMaxClockInfo, 1980 + which)
NUMBER_OF(nvmlDeviceGetApplicationsClock, 1900 + which)
NUMBER_OF(nvmlDeviceGetDefaultApplicationsClock, 1800 + which)
NUMBER(nvmlDeviceGetPerformanceState, 0)
int nvmlDeviceGetCurrentClocksEventReasons(device_t d, unsigned long long *out) { ENTER(d); return large(out, 0x41); }
NUMBER(nvmlDeviceGetPersistenceMode, 1)
NUMBER(nvmlDeviceGetComputeMode, 3)
PAIR(nvmlDeviceGetMigMode, 0, 1)
NUMBER(nvmlDeviceGetVirtualizationMode, 1)
int nvmlDeviceGetMemoryAffinity(device_t d, unsigned int words, unsigned long *out, unsigned int scope) {
  ENTER(d);
  if (scope != 0) return INVALID;
  for (unsigned int word = 0; word < words; word++) out[word] = 0;
  out[0] = 2ul << (d - devices);
  return OK;
}
int nvmlDeviceGetGpuFabricInfoV(device_t d, nvmlGpuFabricInfo_v3_t *out) {
  ENTER(d);
  int summary = out->version == (sizeof *out | 3 << 24);
  if (d != devices && summary) return VERSION;
  if (!summary && out->version != (sizeof(nvmlGpuFabricInfo_v2_t) | 2 << 24)) return VERSION;
  memset(out->clusterUuid, 0xa5, 16);
  out->status = 0;
  out->cliqueId = 12;
  out->state = 3;
  out->healthMask = summary ? 0x2aa : 0x19;
  if (summary) out->healthSummary = 1;
  return OK;
}
int nvmlDeviceGetNvLinkState(device_t d, unsigned int link, unsigned int *out) {
  ENTER(d);
  if (d != devices) return NOT_SUPPORTED;
  return link < 2 ? number(out, link == 0) : INVALID;
}
NUMBER_OF(nvmlDeviceGetNvLinkVersion, 6)
NUMBER_OF(nvmlDeviceGetNvLinkRemoteDeviceType, 2)
int nvmlDeviceGetNvLinkRemotePciInfo_v2(device_t d, unsigned int link, nvmlPciInfo_t *out) {
  ENTER(d);
  return text(out->busId, 32, "00000008:00:00.0");
}
int nvmlDeviceGetNvLinkErrorCounter(device_t d, unsigned int link, unsigned int counter, unsigned long long *out) {
  ENTER(d);
  return large(out, counter);
}
int nvmlDeviceGetUtilizationRates(device_t d, unsigned int *out) {
  ENTER(d);
  number(out, 93);
  return number(out + 1, 41);
}
int nvmlDeviceGetComputeRunningProcesses_v3(device_t d, unsigned int *count, nvmlProcessInfo_v2_t *out) {
  ENTER(d);
  if (*count < 1) return TOO_SMALL;
  *count = GARBAGE ? 0xffffffffu : 1;
  out->pid = 4711;
  out->usedGpuMemory = 300;
  return OK;
}
int nvmlDeviceValidateInforom(device_t d) { ENTER(d); return d == devices ? OK : 14; }
#endif
