// cuRAND: the published sequences, numbers of a GPU's cuRAND for the same seeds (toolkit 13.0),
// distributions.
#include <algorithm>
#include <cmath>
#include <random>

#include <curand.h>
#include <curand_kernel.h>

#include "../libraries/check.h"

// What comes out one after the other: five words, uniform and normal numbers, and a word after a jump of
// 1000.
struct Numbers {
  unsigned long long seed;
  unsigned long long subsequence;
  unsigned long long offset;
  unsigned int words[5];
  float uniform[3];
  double uniform_double[2];
  float normal[3];
  double normal_double[3];
  unsigned int after_jump;
};
const Numbers kXorwow[] = {
    {0ull,
     0ull,
     0ull,
     {3179217846u, 1883133293u, 2220552389u, 674260989u, 306521119u},
     {0.46250838f, 0.227643266f, 0.329358488f},
     {0.18779918086848885, 0.5401245247817974},
     {-0.066577211f, -0.216561437f, 0.91585958f},
     {-0.13700821499879015, 0.7255692709741699, -0.046435254338671184},
     2436084993u},
    {1234ull,
     0ull,
     0ull,
     {624778773u, 1867875844u, 3739671282u, 1954919316u, 3681184389u},
     {0.582418203f, 0.201403871f, 0.786745369f},
     {0.36678716167372255, 0.68847665479592846},
     {-1.15685928f, -0.186758235f, -0.342182875f},
     {-1.1400423286895986, -0.73798139283697717, -0.68538755596955669},
     2995222810u},
    {1234ull,
     5000ull,
     3ull,
     {3629387846u, 4293177815u, 1951883834u, 197184435u, 961802843u},
     {0.125976875f, 0.256688565f, 0.225126401f},
     {0.86870483686693589, 0.85053703372706035},
     {1.03698397f, -2.86763144f, 1.08243763f},
     {0.24011918627610762, 1.083815045227857, -0.74604554367304432},
     916978927u},
    {123456789012345ull,
     123456789012ull,
     100000ull,
     {3772395207u, 3398626917u, 1135895267u, 2779224691u, 3380142298u},
     {0.040059045f, 0.488063097f, 0.470435172f},
     {0.73538707840854123, 0.26249350836238478},
     {0.843326688f, 0.934369504f, -0.179622754f},
     {-0.14067870508456359, -1.3150395497012872, -1.4170949502747661},
     4067353540u},
};
const Numbers kPhilox[] = {
    {0ull,
     0ull,
     0ull,
     {1713891541u, 3781805453u, 3159862348u, 2600524760u, 4175744164u},
     {0.362091124f, 0.693930924f, 0.037094079f},
     {0.019449422601610422, 0.31944576813839376},
     {1.96113145f, -0.269650191f, 0.351582348f},
     {-1.2240824964382686, -0.45233983193182509, 0.072225156611441368},
     539378606u},
    {1234ull,
     0ull,
     0ull,
     {546353992u, 3665621163u, 1140953199u, 3419031310u, 2666454581u},
     {0.112275332f, 0.977164328f, 0.0800607949f},
     {0.24917273805476725, 0.98448146716691554},
     {-0.149344906f, -0.656451583f, 0.634095252f},
     {-0.2162716565683597, 0.38200588207008529, 0.21417808342498879},
     2857751679u},
    {1234ull,
     5000ull,
     3ull,
     {24018461u, 3897941746u, 3684805494u, 766836239u, 1258867168u},
     {0.0869307816f, 0.351592928f, 0.0198909212f},
     {0.16276586591266096, 0.60317517281509936},
     {-0.175418034f, 2.38753319f, -0.0356771462f},
     {0.27049048436898943, 0.74557586709147894, -0.2936758745924119},
     830399310u},
    {123456789012345ull,
     123456789012ull,
     100000ull,
     {2207809649u, 286368861u, 2657296761u, 2394415317u, 782735122u},
     {0.551946282f, 0.452061117f, 0.912714064f},
     {0.45426296791993082, 0.18003785493783653},
     {0.493608415f, 0.545492589f, 0.363572687f},
     {-0.57728135647057444, -1.4779617831968623, -0.10934351263945344},
     3274368698u},
};
const Numbers kMrg32k3a[] = {
    {0ull,
     0ull,
     0ull,
     {545508615u, 1368065476u, 1327943825u, 3546985268u, 951893240u},
     {0.53339541f, 0.480774194f, 0.355559886f},
     {0.13598841042760243, 0.75585223733752915},
     {0.56285727f, -0.887711346f, 1.49382663f},
     {-0.56303418315795295, 0.81937699672297548, 0.33092455900715839},
     3219401136u},
    {1234ull,
     0ull,
     0ull,
     {3379073520u, 2521876100u, 213678209u, 1604391373u, 2253011095u},
     {0.978055894f, 0.399929374f, 0.801026344f},
     {0.32358865594259212, 0.52302344779295395},
     {-0.518003583f, -1.15241218f, 1.27806664f},
     {-1.1641718988979646, 0.36739220363653741, -1.2707331806646647},
     752406375u},
    {1234ull,
     5000ull,
     3ull,
     {2156549155u, 116442275u, 1763369589u, 1764130307u, 1038013861u},
     {0.138691217f, 0.218371287f, 0.676187873f},
     {0.74231319621751513, 0.22534549634373022},
     {-0.185171336f, 0.204896703f, -0.166415066f},
     {-0.086585630802711352, 0.43533318959253958, 0.33383645460613293},
     286200831u},
    {123456789012345ull,
     123456789012ull,
     100000ull,
     {1331355625u, 3927769138u, 2110286634u, 769019323u, 1282712952u},
     {0.724729002f, 0.504889011f, 0.742175817f},
     {0.44711358087294234, 0.82657841331206461},
     {0.250654429f, 1.63516986f, -1.85629737f},
     {1.3945939614737575, 0.18292984958379849, 0.38535673173964446},
     3155318145u},
};

template <typename State>
__global__ void make(Numbers* numbers) {
  State state;
  curand_init(numbers->seed, numbers->subsequence, numbers->offset, &state);
  for (unsigned int& word : numbers->words) word = curand(&state);
  for (float& number : numbers->uniform) number = curand_uniform(&state);
  for (double& number : numbers->uniform_double) number = curand_uniform_double(&state);
  for (float& number : numbers->normal) number = curand_normal(&state);
  for (double& number : numbers->normal_double) number = curand_normal_double(&state);
  skipahead(1000ull, &state);
  numbers->after_jump = curand(&state);
}

template <typename State, size_t count>
void sequence(const Numbers (&all)[count], const char* what) {
  for (const Numbers& wanted : all) {
    Device<Numbers> on_device(std::vector<Numbers>{wanted});
    make<State><<<1, 1>>>(on_device);
    const Numbers got = on_device.value();
    expect(std::equal(wanted.words, wanted.words + 5, got.words), what);
    expect(got.after_jump == wanted.after_jump, what);
    // Logarithms and sines are the host's, not a GPU's: their last bits may differ.
    const auto near = [&](const auto& a, const auto& b, double bound) {
      for (size_t i = 0; i < std::size(a); ++i) expect(std::fabs(a[i] - b[i]) <= bound, what);
    };
    near(got.uniform, wanted.uniform, 1e-7);
    near(got.uniform_double, wanted.uniform_double, 1e-15);
    near(got.normal, wanted.normal, 2e-6);
    near(got.normal_double, wanted.normal_double, 1e-14);
  }
}

// The state once more after a skip is the state after as many steps.
template <typename State>
__global__ void skip(int* wrong) {
  State a;
  State b;
  curand_init(7, threadIdx.x, 11, &a);
  curand_init(7, threadIdx.x, 0, &b);
  for (int i = 0; i < 11; ++i) curand(&b);
  if (curand(&a) != curand(&b)) atomicAdd(wrong, 1);
  skipahead(100ull, &a);
  for (int i = 0; i < 100; ++i) curand(&b);
  if (curand(&a) != curand(&b)) atomicAdd(wrong, 1);
}

__global__ void many(double* sums, unsigned int* counts) {
  curandState state;
  curand_init(99, threadIdx.x, 0, &state);
  for (int i = 0; i < 40; ++i) {
    const double x = curand_normal(&state);
    atomicAdd(&sums[0], x);
    atomicAdd(&sums[1], x * x);
    atomicAdd(&sums[2], log(static_cast<double>(curand_log_normal(&state, 1, 2))));
    atomicAdd(&counts[0], curand_poisson(&state, 3.5));
    atomicAdd(&counts[1], curand_poisson(&state, 200));
  }
  curandStatePhilox4_32_10_t philox;
  curand_init(99, threadIdx.x, 0, &philox);
  const float4 four = curand_uniform4(&philox);
  if (four.x <= 0 || four.w > 1) atomicAdd(&sums[1], 1e9);
}

double mean(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Results 0 to 3, 33333, 50001 and 99999 of the 100000 that a GPU's cuRAND gives for the seed 1234 (toolkit
// 13.0).
struct Results {
  curandRngType_t type;
  double uniform[7], uniform_double[7], normal[7], normal_double[7];
};
const Results kResults[] = {
    {CURAND_RNG_PSEUDO_XORWOW,
     {0.1454676, 0.8201809, 0.5503992, 0.2948303, 0.5113793, 0.7163405, 0.2994713},
     {0.4348988, 0.9264169, 0.8118452, 0.3085554, 0.3077585, 0.7186344, 0.5454258},
     {2.561947, -2.603156, 0.4383026, 2.127093, 4.017777, 5.824856, -1.752573},
     {1.71748, -1.479185, 0.8170092, 0.2397621, -1.557718, -2.392533, -0.8856788}},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     {0.7867519, 0.1521124, 0.9341822, 0.9865668, 0.5113484, 0.7684661, 0.07598655},
     {0.7867519, 0.1521124, 0.9341822, 0.9865668, 0.5113484, 0.7684661, 0.07598655},
     {0.2786929, -0.1825627, -2.437073, -0.8032241, 0.995524, -2.249325, -2.112453},
     {0.2786927, -0.1825628, -2.437072, -0.8032253, 0.995524, -2.249325, -2.112453}},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10,
     {0.1272079, 0.853469, 0.2656489, 0.7960553, 0.3040676, 0.9375144, 0.8128379},
     {0.853469, 0.7960551, 0.1122756, 0.08006063, 0.4931648, 0.9668987, 0.4554292},
     {-2.232981, 3.458309, -2.121081, 1.929241, 0.4965135, 4.882222, 2.110315},
     {-0.07905339, 1.321267, 3.016393, 4.664498, -2.083261, 1.702977, -0.03485711}},
};
template <typename T>
void expect_results(const Device<T>& results, const double (&wanted)[7], const char* what) {
  const auto all = results.values();
  const std::vector<T> some = {all[0], all[1], all[2], all[3], all[33333], all[50001], all[99999]};
  // A GPU's sines and logarithms of floats are less exact.
  expect_near(some, std::vector<T>(wanted, wanted + 7), 2e-5, what);
}
void order_of_results() {
  const size_t count = 100000;
  const Device<float> floats(count);
  const Device<double> doubles(count);
  for (const Results& each : kResults) {
    const auto generator = [&] {
      curandGenerator_t made;
      curandCreateGenerator(&made, each.type);
      curandSetPseudoRandomGeneratorSeed(made, 1234);
      return made;
    };
    curandGenerator_t made = generator();
    curandGenerateUniform(made, floats, count);
    expect_results(floats, each.uniform, "uniform numbers in a GPU's order");
    curandSetGeneratorOffset(made, 0);
    curandGenerateUniformDouble(made, doubles, count);
    expect_results(doubles, each.uniform_double, "uniform numbers in a GPU's order");
    curandDestroyGenerator(made);
    made = generator();
    curandGenerateNormal(made, floats, count, 1, 2);
    expect_results(floats, each.normal, "normal numbers in a GPU's order");
    curandSetGeneratorOffset(made, 0);
    curandGenerateNormalDouble(made, doubles, count, 1, 2);
    expect_results(doubles, each.normal_double, "normal numbers in a GPU's order");
    curandDestroyGenerator(made);
  }
  // Behind the last of Philox's subsequences it goes on with the first.
  const size_t further = 300002;
  const Device<unsigned int> words(further);
  curandGenerator_t again;
  curandCreateGenerator(&again, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetPseudoRandomGeneratorSeed(again, 1234);
  curandGenerate(again, words, further);
  const auto all = words.values();
  expect(all[262143] == 2385104922u && all[262144] == 2666454581u && all[300001] == 3518208227u,
         "a second turn of each subsequence");
  curandDestroyGenerator(again);
  // From the middle of what a turn gives.
  curandGenerator_t made;
  curandCreateGenerator(&made, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandSetPseudoRandomGeneratorSeed(made, 1234);
  curandGenerateUniform(made, floats, count);
  const auto from_0 = floats.values(780);
  curandSetGeneratorOffset(made, 777);
  curandGenerateUniform(made, floats, count);
  expect_equal(floats.values(3), std::vector<float>(from_0.begin() + 777, from_0.end()), "from an offset on");
  curandDestroyGenerator(made);
}

void host_api() {
  curandGenerator_t generator;
  expect(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS, "create");
  expect(curandSetPseudoRandomGeneratorSeed(generator, 1234) == CURAND_STATUS_SUCCESS, "seed");
  Device<unsigned int> words(size_t{9000});
  expect(curandGenerate(generator, words, 9000) == CURAND_STATUS_SUCCESS, "generate");
  const auto first = words.values();
  // Result n is number n / 4096 of subsequence n % 4096.
  expect(first[0] == 624778773u && first[4096] == 1867875844u && first[8192] == 3739671282u,
         "XORWOW's order");
  // A seed does not take the generator back to where it began.
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  curandSetGeneratorOffset(generator, 0);
  curandGenerate(generator, words, 5000);
  curandGenerate(generator, words, 4000);
  expect_equal(words.values(4000), std::vector<unsigned int>(first.begin() + 5000, first.end()),
               "two calls go on where one ended");
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  curandGenerate(generator, words, 1);
  expect(words.value() == 3222088252u, "a seed alone");
  Device<float> values(size_t{6000});
  expect(curandGenerateUniform(generator, values, 6000) == CURAND_STATUS_SUCCESS, "uniform");
  const auto uniform = values.values();
  expect(std::all_of(uniform.begin(), uniform.end(), [](float x) { return x > 0 && x <= 1; }), "uniform");
  expect(std::fabs(mean(uniform) - 0.5) < 0.02, "the mean of uniform numbers");
  expect(curandGenerateNormal(generator, values, 6000, 10, 2) == CURAND_STATUS_SUCCESS, "normal");
  const auto normal = values.values();
  double squares = 0;
  for (const float x : normal) squares += (x - 10.) * (x - 10.);
  expect(std::fabs(mean(normal) - 10) < 0.15 && std::fabs(squares / 6000 - 4) < 0.4, "normal numbers");
  expect(curandGenerateNormal(generator, values, 5999, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE,
         "an odd count");
  Device<double> doubles(size_t{2000});
  expect(curandGenerateUniformDouble(generator, doubles, 2000) == CURAND_STATUS_SUCCESS, "double");
  expect(curandGenerateLogNormalDouble(generator, doubles, 2000, 0, 1) == CURAND_STATUS_SUCCESS,
         "log-normal");
  expect(curandGeneratePoisson(generator, words, 2000, 5) == CURAND_STATUS_SUCCESS, "Poisson");
  double events = 0;
  for (const unsigned int count : words.values(2000)) events += count;
  expect(std::fabs(events / 2000 - 5) < 0.3, "the mean of Poisson's numbers");
  expect(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS, "destroy");
  expect(curandGenerateUniform(nullptr, values, 1) == CURAND_STATUS_NOT_INITIALIZED, "no generator");

  curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MT19937);
  curandSetPseudoRandomGeneratorSeed(generator, 42);
  std::vector<unsigned int> twisted(700);
  curandGenerate(generator, twisted.data(), twisted.size());
  std::mt19937 standard(42);
  std::vector<unsigned int> wanted(700);
  for (unsigned int& word : wanted) word = static_cast<unsigned int>(standard());
  expect_equal(twisted, wanted, "MT19937, into host memory");
  curandDestroyGenerator(generator);

  curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32);
  expect(curandSetQuasiRandomGeneratorDimensions(generator, 3) == CURAND_STATUS_SUCCESS, "dimensions");
  Device<unsigned int> sobol(size_t{24});
  expect(curandGenerate(generator, sobol, 24) == CURAND_STATUS_SUCCESS, "Sobol");
  constexpr unsigned int k8 = 1u << 29;  // an eighth
  // Joe and Kuo's first points, in Gray code's order.
  expect_equal(sobol.values(), {0, 4 * k8, 6 * k8, 2 * k8, 3 * k8, 7 * k8, 5 * k8, 1 * k8,  //
                                0, 4 * k8, 2 * k8, 6 * k8, 3 * k8, 7 * k8, 1 * k8, 5 * k8,  //
                                0, 4 * k8, 2 * k8, 6 * k8, 5 * k8, 1 * k8, 7 * k8, 3 * k8},
               "Sobol's points");
  expect(curandGenerate(generator, sobol, 10) == CURAND_STATUS_LENGTH_NOT_MULTIPLE, "not a multiple");
  curandDestroyGenerator(generator);
}

// As in cuRAND, a state keeps one number of a pair: a log-normal number discards a kept normal one, and a
// normal one a kept log-normal one. Three pairs of words are drawn before the last word.
__global__ void mix(unsigned int* words) {
  curandState state;
  curand_init(1234, 0, 0, &state);
  curand_normal(&state);
  curand_log_normal(&state, 0, 1);
  curand_normal(&state);
  words[0] = curand(&state);
  curand_init(1234, 0, 6, &state);
  words[1] = curand(&state);
}

// Programs that allocate or copy states by numbers rely on the sizes of CUDA 13.0's structures.
void sizes() {
  expect(sizeof(curandState) == 48 && sizeof(curandStateMRG32k3a) == 48 &&
             sizeof(curandStatePhilox4_32_10_t) == 64 && sizeof(curandStateSobol32) == 140,
         "the sizes of the states");
}

int main() {
  sizes();
  Device<unsigned int> mixed(std::vector<unsigned int>(2));
  mix<<<1, 1>>>(mixed);
  expect(mixed.values()[0] == mixed.values()[1], "a state keeps one number of a pair");
  sequence<curandStateXORWOW_t>(kXorwow, "XORWOW");
  sequence<curandStatePhilox4_32_10_t>(kPhilox, "Philox 4x32-10");
  sequence<curandStateMRG32k3a_t>(kMrg32k3a, "MRG32k3a");
  Device<int> wrong(std::vector<int>{0});
  skip<curandStateXORWOW_t><<<1, 8>>>(wrong);
  skip<curandStatePhilox4_32_10_t><<<1, 8>>>(wrong);
  skip<curandStateMRG32k3a_t><<<1, 8>>>(wrong);
  expect(wrong.value() == 0, "skipahead");

  Device<double> sums(std::vector<double>(3));
  Device<unsigned int> counts(std::vector<unsigned int>(2));
  many<<<1, 128>>>(sums, counts);
  constexpr double kCount = 128 * 40;
  const auto of = sums.values();
  expect(std::fabs(of[0] / kCount) < 0.06 && std::fabs(of[1] / kCount - 1) < 0.1,
         "normal numbers of a kernel");
  expect(std::fabs(of[2] / kCount - 1) < 0.15, "log-normal numbers of a kernel");
  const auto events = counts.values();
  expect(std::fabs(events[0] / kCount - 3.5) < 0.15 && std::fabs(events[1] / kCount - 200) < 1.2,
         "Poisson's");
  host_api();
  order_of_results();
  return result();
}
