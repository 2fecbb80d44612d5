// NVTX, by which programs mark ranges for a profiler. The simulator has no profiler: each function is a no-op
// and returns what NVTX returns without an attached tool.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef union nvtxPayload_t {
  uint64_t ullValue;
  int64_t llValue;
  double dValue;
  uint32_t uiValue;
  int32_t iValue;
  float fValue;
} nvtxPayload_t;
typedef struct nvtxEventAttributes_t {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  nvtxPayload_t payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define WARPMARK_NVTX(result, name, parameters, value)           \
  static inline __attribute__((unused)) result name parameters { \
    return value;                                                \
  }
#define WARPMARK_NVTX_VOID(name, parameters) \
  static inline __attribute__((unused)) void name parameters {}

WARPMARK_NVTX_VOID(nvtxInitialize, (const void*))
WARPMARK_NVTX_VOID(nvtxMarkA, (const char*))
WARPMARK_NVTX_VOID(nvtxMarkW, (const wchar_t*))
WARPMARK_NVTX_VOID(nvtxMarkEx, (const nvtxEventAttributes_t*))
WARPMARK_NVTX(int, nvtxRangePushA, (const char*), NVTX_NO_PUSH_POP_TRACKING)
WARPMARK_NVTX(int, nvtxRangePushW, (const wchar_t*), NVTX_NO_PUSH_POP_TRACKING)
WARPMARK_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t*), NVTX_NO_PUSH_POP_TRACKING)
WARPMARK_NVTX(int, nvtxRangePop, (), NVTX_NO_PUSH_POP_TRACKING)
WARPMARK_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char*), 0)
WARPMARK_NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t*), 0)
WARPMARK_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t*), 0)
WARPMARK_NVTX_VOID(nvtxRangeEnd, (nvtxRangeId_t))
WARPMARK_NVTX_VOID(nvtxNameCategoryA, (uint32_t, const char*))
WARPMARK_NVTX_VOID(nvtxNameOsThreadA, (uint32_t, const char*))
WARPMARK_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char*), 0)
WARPMARK_NVTX_VOID(nvtxDomainDestroy, (nvtxDomainHandle_t))
WARPMARK_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, (nvtxDomainHandle_t, const char*), 0)
WARPMARK_NVTX_VOID(nvtxDomainMarkEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t*))
WARPMARK_NVTX(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t*),
              NVTX_NO_PUSH_POP_TRACKING)
WARPMARK_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t), NVTX_NO_PUSH_POP_TRACKING)
WARPMARK_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t*), 0)
WARPMARK_NVTX_VOID(nvtxDomainRangeEnd, (nvtxDomainHandle_t, nvtxRangeId_t))
WARPMARK_NVTX_VOID(nvtxDomainNameCategoryA, (nvtxDomainHandle_t, uint32_t, const char*))
#undef WARPMARK_NVTX
#undef WARPMARK_NVTX_VOID

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
