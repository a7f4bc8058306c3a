// RUN: not %tile2cu %s -I%S/Inputs -o - -- -ferror-limit=0 2>&1 | FileCheck %s
// Structs that kernels cannot take, and what a kernel cannot do with one.
#include <array>
#include <tile2cu/tile.h>
#include <utility>

#include "struct_parameters.h"
using namespace tl;

struct Base { int n; };
struct Derived : Base { float* out; };
struct Empty {};
struct Built { int n; Built(int m) : n(m) {} };
class Private { int n; };
union Either { int n; float x; };
template <class T>
struct Of { T* out; };
struct Bits { int n : 4; };
struct Unnamed { union { int n; float x; }; };
struct Reference { int& n; };
struct Inner { tile<float, 8> x; };
struct Outer { Inner inner; };
struct Volatile { volatile float* x; };
int chosen();
struct Default { int n = chosen(); };
struct Ends { int n = 1; ~Ends() {} };
namespace {
struct Hidden { int n; };
}
struct Class { struct Member { int n; }; };

__tile_global__ void structs(
    // CHECK-DAG: :[[@LINE+1]]:13: error: parameter 'derived' of a kernel is a struct with a base class; make the base a member
    Derived derived,
    // CHECK-DAG: error: parameter 'empty' of a kernel is a struct without members; remove it
    Empty empty,
    // CHECK-DAG: error: parameter 'built' of a kernel is a class with constructors, private members or a destructor; pass a struct of public members
    Built built,
    // CHECK-DAG: error: parameter 'hidden_members' of a kernel is a class with constructors,
    Private hidden_members,
    // CHECK-DAG: error: parameter 'either' of a kernel is a union; pass a number and bitcast it
    Either either,
    // CHECK-DAG: error: parameter 'of' of a kernel is an instance of a class template; define the template in a header that does not include tile2cu/tile.h, or pass a struct
    Of<float> of,
    // CHECK-DAG: error: parameter 'bits' of a kernel is a struct whose member 'n' is a bit-field; use a whole number
    Bits bits,
    // CHECK-DAG: error: parameter 'unnamed' of a kernel is a struct with a member that has no name; give it one
    Unnamed unnamed,
    // CHECK-DAG: error: parameter 'reference' of a kernel is a struct whose member 'n' is a reference; pass the value
    Reference reference,
    // CHECK-DAG: error: parameter 'outer' of a kernel is a struct whose member 'inner' is a struct whose member 'x' is a tile; pass a pointer and load it
    Outer outer,
    // CHECK-DAG: error: parameter 'qualified' of a kernel is a struct whose member 'x' is a pointer to volatile; remove volatile
    Volatile qualified,
    // CHECK-DAG: error: parameter 'by_default' of a kernel is a struct whose member 'n' is initialized with something other than a number or nullptr; set it where the object is made
    Default by_default,
    // CHECK-DAG: error: parameter 'ends' of a kernel is a class with constructors, private members or a destructor
    Ends ends,
    // CHECK-DAG: error: parameter 'hidden' of a kernel is a struct that the launcher's callers cannot name; define it in a namespace with a name, or in none
    Hidden hidden,
    // CHECK-DAG: error: parameter 'member' of a kernel is a struct that the launcher's callers cannot name
    Class::Member member,
    // CHECK-DAG: error: parameter 'pair' of a kernel is a struct of a library; pass its members one by one
    std::pair<int, int> pair,
    // CHECK-DAG: error: parameter 'array' of a kernel is a struct of a library;
    std::array<int, 2> array,
    // CHECK-DAG: error: parameter 'mode' of a kernel is a struct whose member 'mode' is a scoped enumeration; make it an integer, or an enumeration without class
    Modes mode,
    // CHECK-DAG: error: parameter 'half' of a kernel is an instance of a class template whose arguments are not all numbers or types of C++
    Row<float16> half) {
  grid(1);
}

struct Good { const float* x; float* out[2]; int n; };
// CHECK-DAG: error: kernel 'summed' has no parameter 'p.m'; key and preserve name its parameters
// CHECK-DAG: error: kernel 'summed' has no parameter 'p.n.k';
// CHECK-DAG: error: parameter 'p.x' is not an integer; a key consists of integers
// CHECK-DAG: error: parameter 'p.n' is not a pointer; preserve names a pointer first
__tile_global__ void summed(Good p) { p.out[0][grid(p.n)] = 1; }
inline constexpr auto tune_member = tune(key{"p.m"}, candidate(summed));
inline constexpr auto tune_deeper = tune(key{"p.n.k"}, candidate(summed));
inline constexpr auto tune_pointer = tune(key{"p.x"}, candidate(summed));
inline constexpr auto tune_number = tune(key{}, preserve("p.n", 1), candidate(summed));

__tile_global__ void used(const Good p, Good q) {
  auto i = grid(q.n);
  // CHECK-DAG: :[[@LINE+1]]:12: error: an array is indexed with a value that is not constant
  q.out[i] = q.out[0];
}
inline constexpr auto use = instantiate(used);
