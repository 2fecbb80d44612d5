#include "harness/class/run/options.h"

#include <nlohmann/json.hpp>

namespace warpmark::classroom {

std::string to_json(const ClassOptions& options) {
  nlohmann::json inputs = nlohmann::json::array();
  for (const auto& input : options.inputs) inputs.push_back(std::filesystem::absolute(input).string());
  const auto absolute = [](const std::filesystem::path& path) {
    return path.empty() ? std::string() : std::filesystem::absolute(path).string();
  };
  return nlohmann::json{{"inputs", inputs},
                        {"roster", absolute(options.roster)},
                        {"assignment", options.assignment},
                        {"engine", options.engine},
                        {"due", options.due},
                        {"on", options.on == Executor::slurm ? "slurm" : "local"},
                        {"slurm_options", options.slurm_options}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool read_options(const std::string& text, ClassOptions& options) {
  const auto file = nlohmann::json::parse(text, nullptr, false);
  if (!file.is_object()) return false;
  options.inputs.clear();
  for (const auto& input : file.value("inputs", nlohmann::json::array()))
    options.inputs.emplace_back(input.get<std::string>());
  options.roster = file.value("roster", "");
  options.assignment = file.value("assignment", "");
  options.engine = file.value("engine", "auto");
  options.due = file.value("due", "");
  options.on = file.value("on", "local") == "slurm" ? Executor::slurm : Executor::local;
  options.slurm_options = file.value("slurm_options", std::vector<std::string>{});
  return true;
}

}  // namespace warpmark::classroom
