// Collects what is found during a launch; turned into text with source lines when the launch is
// over.
#pragma once
#include <string>
#include <vector>

#include "site.h"
#include "tile2cu/emulator/options.h"

namespace emulate {

// `message` may name the places as {0}, {1}, ...; {0} is put in front of it. The same places are
// reported once a launch for each kind.
void find(enum report::kind kind, std::vector<Site> places, std::string message);

// Whether {places} were reported in this launch: saves writing the message.
bool known(enum report::kind kind, Site first, Site second);

void beginFindings();
void endFindings();

}  // namespace emulate
