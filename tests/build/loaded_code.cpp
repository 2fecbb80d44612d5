// Runs code when it is loaded, in each of the ways that ELF has.
namespace {

int runs = 0;

}  // namespace

extern "C" {

__attribute__((constructor)) static void comes_first() {
  ++runs;
}
__attribute__((destructor)) static void comes_last() {
  --runs;
}

static int plain() {
  return runs;
}
static int (*choose())() {
  return plain;
}
__attribute__((constructor)) void seen_by_others() {
  ++runs;
}
int chosen() __attribute__((ifunc("choose")));
}
