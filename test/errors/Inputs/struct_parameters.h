#pragma once
enum class Mode { Fast, Exact };
struct Modes {
  Mode mode;
};
template <class T>
struct Row {
  int n;
};
