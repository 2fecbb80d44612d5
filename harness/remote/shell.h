// Starts the programs that lead to other machines, and quotes words for their shells.
#pragma once

#include <map>
#include <string>

namespace warpmark::remote {

// Returns this process's whole environment: variables configure Slurm's commands (SLURM_CONF, SBATCH_*) and
// ssh (SSH_AUTH_SOCK).
std::map<std::string, std::string> whole_environment();

// Quotes a text as one word of a POSIX shell's command line.
std::string shell_quoted(const std::string& text);

// Quotes the path or name of a program, where a leading ~/ means the home folder of that shell's user.
std::string program_word(const std::string& program);

}  // namespace warpmark::remote
