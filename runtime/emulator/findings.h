// The errors found during a launch. They become reports with source lines when the launch is over.
#pragma once
#include <string>
#include <vector>

#include "site.h"
#include "tile2cu/emulator/options.h"

namespace emulate {

// `message` may name the places as {0}, {1}, ...; the report begins with {0}. A launch reports the
// same places once for each kind.
void addFinding(enum report::kind kind, std::vector<Site> places, std::string message);

// Whether these places were reported in this launch. Callers then need not write the message.
bool isKnown(enum report::kind kind, Site first, Site second);

void beginFindings();
void endFindings();

}  // namespace emulate
