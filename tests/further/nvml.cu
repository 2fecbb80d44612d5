// NVML: what is told of a device agrees with what the runtime tells, and what is not known is an error that a
// program goes on after.
#include <cstring>
#include <string>

#include <nvml.h>

#include "../libraries/check.h"

void expect_ok(nvmlReturn_t error, const char* what) {
  expect(error == NVML_SUCCESS, what);
}

void test_before_start() {
  unsigned int count = 0;
  expect(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED, "a count before the start");
  expect(nvmlShutdown() == NVML_ERROR_UNINITIALIZED, "an end before the start");
  expect(std::string(nvmlErrorString(NVML_SUCCESS)) == "Success", "the text of success");
  expect(std::string(nvmlErrorString(NVML_ERROR_UNINITIALIZED)) == "Uninitialized", "the text of an error");
  expect(std::string(nvmlErrorString(NVML_ERROR_INVALID_ARGUMENT)) == "Invalid Argument",
         "the text of an error");
  expect(std::string(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED)) == "Not Supported", "the text of an error");
}

void test_system() {
  char text[NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE];
  expect_ok(nvmlSystemGetDriverVersion(text, sizeof text), "the driver's version");
  expect(std::strchr(text, '.') != nullptr, "the driver's version");
  expect_ok(nvmlSystemGetNVMLVersion(text, sizeof text), "the library's version");
  expect(nvmlSystemGetDriverVersion(text, 2) == NVML_ERROR_INSUFFICIENT_SIZE, "too short a text");
  int version = 0, wanted = 0;
  expect_ok(nvmlSystemGetCudaDriverVersion(&version), "the version of CUDA");
  expect(cudaDriverGetVersion(&wanted) == cudaSuccess && version == wanted, "the version of CUDA");
}

void test_device(nvmlDevice_t device) {
  cudaDeviceProp all;
  expect(cudaGetDeviceProperties(&all, 0) == cudaSuccess, "properties");
  char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE], uuid[NVML_DEVICE_UUID_BUFFER_SIZE];
  expect_ok(nvmlDeviceGetName(device, name, sizeof name), "name");
  expect(std::string(name) == all.name, "name");
  expect(nvmlDeviceGetName(device, name, 1) == NVML_ERROR_INSUFFICIENT_SIZE, "too short a name");
  expect_ok(nvmlDeviceGetUUID(device, uuid, sizeof uuid), "uuid");
  expect(std::strncmp(uuid, "GPU-", 4) == 0 && std::strlen(uuid) == 40, "uuid");
  nvmlDevice_t again = nullptr;
  expect_ok(nvmlDeviceGetHandleByUUID(uuid, &again), "device by uuid");
  expect(again == device, "device by uuid");
  nvmlPciInfo_t pci;
  expect_ok(nvmlDeviceGetPciInfo(device, &pci), "place");
  expect(pci.bus == static_cast<unsigned int>(all.pciBusID), "bus");
  expect_ok(nvmlDeviceGetHandleByPciBusId(pci.busId, &again), "device by place");
  expect(again == device, "device by place");
  int major = 0, minor = 0;
  expect_ok(nvmlDeviceGetCudaComputeCapability(device, &major, &minor), "capability");
  expect(major == all.major && minor == all.minor, "capability");
  unsigned int index = 7;
  expect_ok(nvmlDeviceGetIndex(device, &index), "index");
  expect(index == 0, "index");
  nvmlComputeMode_t mode = NVML_COMPUTEMODE_PROHIBITED;
  expect_ok(nvmlDeviceGetComputeMode(device, &mode), "mode");
  expect(mode == NVML_COMPUTEMODE_DEFAULT, "mode");
  unsigned int clock = 0;
  expect_ok(nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &clock), "clock");
  expect(clock > 0, "clock");
  unsigned int most = 0;
  expect_ok(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &most), "highest clock");
  expect(most > 0, "highest clock");
  expect(nvmlDeviceGetName(nullptr, name, sizeof name) == NVML_ERROR_INVALID_ARGUMENT, "no device");
}

void test_memory(nvmlDevice_t device) {
  nvmlMemory_t before{}, after{};
  constexpr size_t kBytes = 64 << 20;
  const Device<char> warm(size_t{1});
  expect_ok(nvmlDeviceGetMemoryInfo(device, &before), "memory");
  {
    const Device<char> bytes(kBytes);
    expect_ok(nvmlDeviceGetMemoryInfo(device, &after), "memory");
  }
  expect(before.total == after.total && before.free + before.used <= before.total, "all of the memory");
  expect(after.used >= before.used + kBytes, "used memory");
}

// What a simulator has no sensor for; a GPU may have one.
void test_sensors(nvmlDevice_t device) {
  unsigned int value = 0;
  nvmlUtilization_t load{};
  for (nvmlReturn_t error : {nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value),
                             nvmlDeviceGetPowerUsage(device, &value), nvmlDeviceGetFanSpeed(device, &value),
                             nvmlDeviceGetUtilizationRates(device, &load)}) {
    expect(error == NVML_SUCCESS || error == NVML_ERROR_NOT_SUPPORTED, "a sensor");
  }
}

int main() {
  test_before_start();
  expect_ok(nvmlInit(), "start");
  test_system();
  unsigned int count = 0;
  expect_ok(nvmlDeviceGetCount(&count), "count");
  nvmlDevice_t device = nullptr;
  expect_ok(nvmlDeviceGetHandleByIndex(0, &device), "device");
  nvmlDevice_t other = nullptr;
  expect(nvmlDeviceGetHandleByIndex(count, &other) == NVML_ERROR_INVALID_ARGUMENT, "no such device");
  test_device(device);
  test_memory(device);
  test_sensors(device);
  expect_ok(nvmlShutdown(), "end");
  return result();
}
