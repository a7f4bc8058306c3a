// The functions of fmt, compiled from its headers: a program that is linked with this file does not
// need fmt's shared library. Templates that fmt instantiates in its library are instantiated here.
#include "fmt/format-inl.h"

FMT_BEGIN_NAMESPACE
namespace detail {
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl<char>(locale_ref) -> char;
template void buffer<char>::append(const char *, const char *);
}  // namespace detail
FMT_END_NAMESPACE
