#pragma once

#include <map>
#include <string>
#include <vector>

#include "probe/base/result.h"
#include "tests/lab/card/machine.h"

/// A stand-in for the vendor tool, with state. The state is a machine description: of the emulated
/// card in the lab's guest, of a file beside the program elsewhere.
namespace raidscope::standin {

/// One controller as the tool finds it.
struct Controller {
  lab::Machine machine;
  std::string pci_address;                   ///< "0000:0D:00.0"
  std::map<std::string, std::string> disks;  ///< by unique id: "/dev/sda"
};

/// Where the controllers' state lives.
class Backing {
 public:
  virtual ~Backing() = default;
  /// Empty where there is no controller.
  virtual Result<std::vector<Controller>> controllers() = 0;
  /// `changes` as lab::changed() takes them.
  virtual Status change(std::size_t controller, const std::string& changes) = 0;
  /// After a change: what a test reads of what was asked.
  virtual void note(const std::string& /*command*/) {}
};

/// `path` holds the description of one controller; what is asked of it goes to `path`.log.
class FileBacking : public Backing {
 public:
  explicit FileBacking(std::string path) : path_(std::move(path)) {}
  Result<std::vector<Controller>> controllers() override;
  Status change(std::size_t controller, const std::string& changes) override;
  void note(const std::string& command) override;

 private:
  std::string path_;
};

/// The emulated cards that this guest's driver shows.
class CardBacking : public Backing {
 public:
  Result<std::vector<Controller>> controllers() override;
  Status change(std::size_t controller, const std::string& changes) override;

 private:
  std::vector<std::string> nodes_;
};

/// `ctrl all show config detail`, in the dialect that the controller's description names.
std::string config_detail(const Controller& controller);

/// What `ctrl slot=N … modify PARAMETER=VALUE` asks for, as changes of the state. Errors are the
/// tool's words.
struct Modification {
  std::string kind, which;  ///< "ld" and "1", "array" and "A", or nothing: the controller
  std::string parameter, value;
};
Result<std::string> changes_for(const lab::Machine& machine, const Modification& wish);

}  // namespace raidscope::standin
