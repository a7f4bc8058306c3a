#include "findings.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

namespace emulate {

namespace {

struct Finding {
  enum report::kind kind;
  std::vector<Site> places;
  std::string message;
};
using Key = std::tuple<int, const void*, const void*>;

struct State {
  std::vector<report> reports;    // not taken yet
  std::vector<Finding> findings;  // of the running launch
  std::set<Key> keys;
  int dropped = 0;
};

State& state() {
  static State& forever = *new State;  // read at exit
  return forever;
}

Key keyOf(enum report::kind kind, Site first, Site second) {
  return {int(kind), first.pc, second.pc};
}

// A program that has not taken its reports has failed.
void exitWithReports() {
  if (state().reports.empty() || settings().exit_code == 0) return;
  std::fflush(nullptr);
  std::_Exit(settings().exit_code);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace

bool isKnown(enum report::kind kind, Site first, Site second) {
  return state().keys.count(keyOf(kind, first, second)) != 0;
}

void addFinding(enum report::kind kind, std::vector<Site> places, std::string message) {
  const Site none;
  State& s = state();
  if (!s.keys
           .insert(
               keyOf(kind, places.empty() ? none : places[0], places.size() > 1 ? places[1] : none))
           .second) {
    return;
  }
  if (int(s.findings.size()) >= settings().report_limit) {
    ++s.dropped;
    return;
  }
  s.findings.push_back({kind, std::move(places), std::move(message)});
}

void beginFindings() {
  State& s = state();
  s.findings.clear();
  s.keys.clear();
  s.dropped = 0;
}

void endFindings() {
  static const int registered = std::atexit(exitWithReports);
  (void)registered;
  State& s = state();
  std::set<std::pair<int, std::vector<std::string>>> said;  // one report for the copies of one line
  std::vector<Site> all;
  for (const Finding& finding : s.findings) {
    all.insert(all.end(), finding.places.begin(), finding.places.end());
  }
  prepareToDescribe(all);
  for (const Finding& finding : s.findings) {
    std::string text = finding.message;
    std::vector<std::string> lines;
    for (const Site& place : finding.places) lines.push_back(describe(place));
    // The compiler may have made two copies of one barrier, which are in the same line.
    if (finding.kind == report::kind::divergence && lines.size() == 2 && lines[0] == lines[1])
      continue;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text = replaced(text, "{" + std::to_string(i) + "}", lines[i]);
    }
    if (!lines.empty()) text = lines[0] + ": " + text;
    std::vector<std::string> pair = lines;  // two lines race in either direction
    std::sort(pair.begin(), pair.end());
    if (!said.insert({int(finding.kind), pair}).second) continue;
    s.reports.push_back({finding.kind, text});
    if (!settings().quiet) std::fprintf(stderr, "%s\n", text.c_str());
  }
  if (s.dropped > 0 && !settings().quiet) {
    std::fprintf(stderr, "tile2cu emulator: %d more reports in this launch\n", s.dropped);
  }
}

const std::vector<report>& reports() { return state().reports; }

std::vector<report> take_reports() { return std::exchange(state().reports, {}); }

}  // namespace emulate
