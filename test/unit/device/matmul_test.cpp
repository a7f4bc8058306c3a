// A pipelined matmul on the emulator: right with every number of stages and every ragged edge, and
// each barrier and wait that is left out is found.
#include "matmul_kernel.cuh"
#include "testing.h"

namespace device_tests {
namespace {

using matmul_kernels::fault;
using matmul_kernels::matmul;

// Small integers, so that accumulators are exact. Rows are padded, and elements past them are NaN.
struct Problem {
  int m, n, k, lda, ldb;
  std::vector<__half> a_data, b_data;
  __half *a, *b;
  std::vector<float> c;

  Problem(int m_, int n_, int k_) : m(m_), n(n_), k(k_) {
    lda = (k + 7) / 8 * 8 + 8, ldb = (n + 7) / 8 * 8;
    a_data.assign(m * lda + 8, NAN), b_data.assign(k * ldb + 8, NAN);
    a = aligned(a_data), b = aligned(b_data);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < k; ++j) a[i * lda + j] = float((i * 5 + j * 3) % 17 - 8);
    }
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < n; ++j) b[i * ldb + j] = float((i * 7 + j * 11) % 13 - 6);
    }
    c.assign(m * n, -1.0f);
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  static __half* aligned(std::vector<__half>& data) {
    const auto address = reinterpret_cast<uintptr_t>(data.data());
    return data.data() + (16 - address % 16) % 16 / 2;
  }

  template <int STAGES, fault FAULT = fault::none>
  cudaError_t run() {
    const dim3 grid((n + 63) / 64, (m + 63) / 64);
    return emulate::launch(matmul<STAGES, FAULT>, grid, 128, STAGES * 8192, nullptr, a, b, c.data(),
                           m, n, k, lda, ldb, n);
  }

  void check() const {
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        int want = 0;
        for (int x = 0; x < k; ++x) {
          want += ((i * 5 + x * 3) % 17 - 8) * ((x * 7 + j * 11) % 13 - 6);
        }
        ASSERT_EQ(c[i * n + j], float(want))
            << i << " " << j << " of " << m << " " << n << " " << k;
      }
    }
  }
};

template <int STAGES>
void checkStages() {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    // Whole and ragged, K of fewer steps than stages, no K at all.
    for (const auto& [m, n, k] :
         {std::tuple{64, 64, 128}, {70, 50, 93}, {1, 65, 8}, {33, 8, 33}, {16, 16, 0}}) {
      Problem problem(m, n, k);
      EXPECT_EQ(problem.run<STAGES>(), cudaSuccess);
      for (const emulate::report& report : emulate::take_reports()) ADD_FAILURE() << report.text;
      problem.check();
    }
  }
}
TEST(Matmul, EveryNumberOfStages) {
  checkStages<2>();
  checkStages<3>();
  checkStages<4>();
  checkStages<5>();
}

template <int STAGES, fault FAULT>
void expectRace() {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    Problem problem(64, 64, 192);
    problem.run<STAGES, FAULT>();
    const std::vector<emulate::report> reports = emulate::take_reports();
    EXPECT_FALSE(reports.empty());
    for (const emulate::report& report : reports) {
      EXPECT_EQ(report.kind, emulate::report::kind::race) << report.text;
      EXPECT_NE(report.text.find("matmul_kernel.cuh"), std::string::npos) << report.text;
    }
  }
}
TEST(Matmul, FaultsAreFound) {
  expectRace<3, fault::no_wait>();
  expectRace<3, fault::wait_for_one_fewer>();
  expectRace<4, fault::wait_for_one_fewer>();
  expectRace<3, fault::no_barrier>();
  expectRace<4, fault::no_barrier>();
}

TEST(Matmul, PoisonShowsMissingZeros) {
  const Quietly quietly;
  Problem problem(64, 64, 40);
  EXPECT_EQ((problem.run<3, fault::no_zeros>()), cudaSuccess);
  EXPECT_TRUE(emulate::take_reports().empty());
  EXPECT_TRUE(std::isnan(problem.c[0]));
}

}  // namespace
}  // namespace device_tests
