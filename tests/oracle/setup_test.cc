#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/command.h"
#include "tests/paths.h"

namespace pallasite {
namespace {

// A project folder with nothing but the oracle's setup.
class OracleSetupTest : public testing::Test {
 protected:
  OracleSetupTest() {
    std::filesystem::copy(SourcePath("oracle"), folder_.At("oracle"),
                          std::filesystem::copy_options::recursive);
    // Tools, but no Python.
    std::filesystem::create_directory(folder_.At("bin"));
    for (const char* tool :
         {"sh", "dirname", "cat", "sha256sum", "mkdir", "rm", "flock"}) {
      std::filesystem::create_symlink(std::string("/usr/bin/") + tool,
                                      folder_.At(std::string("bin/") + tool));
    }
  }

  CommandResult RunSetup(const std::string& release = "") {
    return RunCommand("PATH=" + folder_.At("bin") + " HOME=/nonexistent " +
                      "PYENV_ROOT= /bin/sh " + folder_.At("oracle/setup.sh") +
                      " " + release + " 2>&1");
  }

  TempFolder folder_;
};

TEST_F(OracleSetupTest, SaysInOneLineThatThereIsNoJax) {
  for (const char* release : {"", "0.11.2", "1.2.3"}) {
    const CommandResult result = RunSetup(release);
    EXPECT_EQ(result.exit_status, 3);
    EXPECT_EQ(result.output,
              "oracle: no JAX could be installed: recorded verdicts will be "
              "used\n");
  }
}

TEST_F(OracleSetupTest, KeepsAnEnvironmentThatIsUpToDate) {
  const std::string environment = folder_.At(".venv/oracle-0.10.2");
  std::filesystem::create_directories(environment + "/bin");
  const std::string python = folder_.Write(".venv/oracle-0.10.2/bin/python",
                                           "#!/bin/sh\necho 3.11.99\n");
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  const std::string stamp = folder_.At(".venv/oracle-0.10.2/installed");
  RunCommand("sha256sum <" + folder_.At("oracle/requirements/0.10.2.txt") +
             " >" + stamp);
  const CommandResult fresh = RunSetup();
  EXPECT_EQ(fresh.exit_status, 0);
  EXPECT_EQ(fresh.output,
            "oracle: JAX 0.10.2 on Python 3.11.99, in .venv/oracle-0.10.2\n");
  folder_.Write(".venv/oracle-0.10.2/installed", "of other requirements\n");
  EXPECT_EQ(RunSetup().exit_status, 3);
}

}  // namespace
}  // namespace pallasite
