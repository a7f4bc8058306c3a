// Trains a GPT-2 on a text, and continues a prompt:
//   train [--data FILE] [--steps N] [--batch N] [--length N] [--layers N] [--channels N] [--heads N]
//         [--vocabulary N] [--rate X] [--warmup N] [--decay X] [--every N]
//         [--record FILE]
//         [--gpus N]
//         [--generate N] [--prompt TEXT] [--temperature X]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "peers.h"
#include "record.h"
#include "text.h"

namespace {

struct Options {
  llm::Sizes sizes{
      .layers = 4, .channels = 256, .heads = 4, .length = 256, .vocabulary = 256, .batch = 16};
  llm::Optimizer optimizer;
  std::string data = "kjv.txt", record, prompt = "In the beginning";
  int steps = 1000, warmup = 100, every = 20, gpus = 1, generate = 400;
  float temperature = 0.8f;
};

// Reads `--name value` pairs; throws for a name that is not known.
Options options_of(int argc, char** argv) {
  Options o;
  const std::map<std::string, int*> ints = {{"--steps", &o.steps},
                                            {"--warmup", &o.warmup},
                                            {"--every", &o.every},
                                            {"--gpus", &o.gpus},
                                            {"--generate", &o.generate},
                                            {"--batch", &o.sizes.batch},
                                            {"--length", &o.sizes.length},
                                            {"--layers", &o.sizes.layers},
                                            {"--heads", &o.sizes.heads},
                                            {"--channels", &o.sizes.channels},
                                            {"--vocabulary", &o.sizes.vocabulary}};
  const std::map<std::string, float*> floats = {{"--rate", &o.optimizer.rate},
                                                {"--decay", &o.optimizer.weight_decay},
                                                {"--temperature", &o.temperature}};
  const std::map<std::string, std::string*> strings = {
      {"--data", &o.data}, {"--record", &o.record}, {"--prompt", &o.prompt}};
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) throw std::runtime_error(name + " needs a value");
    const std::string value = argv[i + 1];
    if (ints.contains(name)) {
      *ints.at(name) = std::stoi(value);
    } else if (floats.contains(name)) {
      *floats.at(name) = std::stof(value);
    } else if (strings.contains(name)) {
      *strings.at(name) = value;
    } else {
      throw std::runtime_error("there is no option " + name);
    }
  }
  for (const auto& [name, value] : ints)
    if (*value < 1 && name != "--warmup" && name != "--generate")
      throw std::runtime_error(name + " takes a number from 1 on");
  return o;
}

// Each GPU takes --batch sequences a step. The first one prints its loss, and the tokens of all.
void train(llm::Model& model, const Options& o, const llm::Peer& peer) {
  using Clock = std::chrono::steady_clock;
  const llm::Text text(llm::read_file(o.data), o.sizes);
  std::unique_ptr<llm::Record> record;
  if (!o.record.empty() && peer.rank == 0) {
    record = std::make_unique<llm::Record>(o.record, o.sizes, o.steps, model);
  }
  auto start = Clock::now();
  int timed = 0;  // steps since `start`
  for (int step = 1; step <= o.steps; ++step) {
    const int64_t part = int64_t{step - 1} * peer.count + peer.rank;
    model.forward(text.tokens(part));
    model.backward(text.tokens(part), text.targets(part));
    peer.average(model.parameters.all_gradients(), model.parameters.size());
    if (record) record->step(model);
    llm::Optimizer optimizer = o.optimizer;
    optimizer.rate *= std::min(1.0f, float(step) / float(std::max(o.warmup, 1)));
    model.parameters.update(optimizer, step);
    ++timed;
    if (peer.rank == 0 && (step == 1 || step % o.every == 0 || step == o.steps)) {
      const double loss = model.loss();  // waits for the GPU
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      const double per_second = double(o.sizes.rows()) * peer.count * timed / seconds;
      std::printf("step %d: loss %.4f, %.2f ms, %.0f tokens/s\n", step, loss, 1e3 * seconds / timed,
                  per_second);
      std::fflush(stdout);
      start = Clock::now();
      timed = 0;
    }
  }
}

// Prints the prompt and up to `generate` tokens, as many as fit the length of a sequence.
void generate(const llm::Parameters& trained, const Options& o) {
  llm::Sizes sizes = o.sizes;
  sizes.batch = 1;
  llm::Model model(sizes, 1);
  model.parameters.set_values(trained.values());
  std::vector<uint16_t> tokens(sizes.length);
  const int first = std::min<int>(int(o.prompt.size()), sizes.length);
  for (int i = 0; i < first; ++i) tokens[i] = static_cast<unsigned char>(o.prompt[i]);
  tl::buffer<uint16_t> text(tokens);
  const int end = std::min(first + o.generate, sizes.length);
  for (int position = first - 1; position + 1 < end; ++position) {
    model.forward(text.data());
    model.sample(text.data(), position, o.temperature, 7);
  }
  tokens = text.to_host();
  std::printf("%s\n", std::string(tokens.begin(), tokens.begin() + end).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = options_of(argc, argv);
    llm::run_peers(options.gpus, [&](const llm::Peer& peer) {
      llm::Model model(options.sizes, 1);
      const bool isFirst = peer.rank == 0;
      if (isFirst) std::printf("%.1f million parameters\n", 1e-6 * double(model.parameters.size()));
      train(model, options, peer);
      if (isFirst && options.generate > 0 && !options.prompt.empty())
        generate(model.parameters, options);
    });
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "train: %s\n", error.what());
    return 1;
  }
}
