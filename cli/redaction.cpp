#include "cli/redaction.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <sys/random.h>
#include <sys/stat.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "cli/terminal.h"
#include "controllers/inventory/inventory_json.h"
#include "controllers/inventory/redact_inventory.h"
#include "probe/base/os_error.h"
#include "probe/capture/redactor.h"

namespace raidscope::cli {
namespace {

constexpr std::size_t key_bytes = 32;
/// 128 bits: those that a person made in another way must do as well.
constexpr std::size_t least_digits = 32;
constexpr std::size_t most_digits = 4096;
/// A pseudonym may hold a short secret by chance; with another key it does not.
constexpr int most_keys = 8;

Result<std::string> random_key() {
  std::string out(key_bytes, '\0');
  std::size_t have = 0;
  while (have < out.size()) {
    const ssize_t n = ::getrandom(out.data() + have, out.size() - have, 0);
    if (n < 0 && errno != EINTR) return fail_errno(errno, "cannot get a random key");
    if (n > 0) have += static_cast<std::size_t>(n);
  }
  return out;
}

Result<std::string> make_key_file(const std::string& path) {
  RAIDSCOPE_TRY(const std::string bytes, random_key());
  const std::string text = capture::to_hex(bytes) + "\n";
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return fail_errno(errno, "cannot make the key file", path);
  const ssize_t n = ::write(fd, text.data(), text.size());
  const bool good = ::fsync(fd) == 0 && n == static_cast<ssize_t>(text.size());
  const int problem = errno;
  if (::close(fd) != 0 || !good) {
    ::unlink(path.c_str());
    return fail_errno(problem, "cannot make the key file", path);
  }
  return text;
}

Result<std::string> key_of_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return fail_errno(errno, "cannot read the key file", path);
    return make_key_file(path);
  }
  RAIDSCOPE_TRY(std::string text, read_input(path, std::size_t{1} << 16));
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  // Any other file of a system has what others can have too.
  const bool digits = text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!digits || text.size() < least_digits || text.size() > most_digits) {
    return fail(Errc::malformed,
                fmt::format("not a key: a key file holds one line of {} to {} hex digits",
                            least_digits, most_digits),
                path, "name a file that is not there, and one is made");
  }
  if ((status.st_mode & 077U) != 0) {
    warn(fmt::format("others may read the key file, and with it try serial numbers: chmod 600 {}",
                     path));
  }
  return text + "\n";
}

std::string document(const Inventory& inventory) {
  return to_json(inventory).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

Result<RedactKey> redact_key(const Arguments& arguments) {
  const auto path = arguments.get("redact-key");
  if (path && !arguments.has("redact")) {
    return fail(Errc::usage, "--redact-key is for --redact", "", "give both");
  }
  RedactKey out;
  out.random = !path.has_value();
  if (path) {
    RAIDSCOPE_TRY(out.bytes, key_of_file(*path));
  } else {
    RAIDSCOPE_TRY(out.bytes, random_key());
  }
  return out;
}

Result<Redacted> redact(const RedactKey& key, const Inventory& inventory, const RawInput& raw) {
  capture::Secrets secrets;
  collect_secrets(inventory, secrets);
  if (raw.bundle) capture::collect(*raw.bundle, secrets);
  for (const std::string& text : raw.texts) capture::collect(text, secrets);
  capture::collect(raw.name, secrets);
  capture::collect_words(std::string_view(raw.name).substr(raw.name.rfind('/') + 1), secrets);

  std::string bytes = key.bytes;
  bool confined = false;
  std::string left;
  for (int attempt = 0; attempt < most_keys; ++attempt) {
    const capture::Redactor redactor(secrets, bytes);
    Redacted out;
    out.name = redactor.text(raw.name);
    out.inventory = redacted(inventory, redactor);
    left = redactor.left_in(document(out.inventory));
    if (raw.bundle && left.empty()) {
      out.bundle = redactor.bundle(*raw.bundle);
      left = redactor.left_in(*out.bundle);
    }
    if (left.empty()) {
      if (out.bundle) {
        out.replays = document(inventory_of_bundle(*out.bundle)) == document(out.inventory);
      }
      if (out.replays || confined) return out;
      // A name is a word of the report too: it is then replaced where it is the name alone.
      for (const std::string& name : secrets.names()) secrets.confine(name);
      confined = true;
      continue;
    }
    if (!key.random) break;
    RAIDSCOPE_TRY(bytes, random_key());
  }
  return fail(Errc::refused,
              fmt::format("a secret of {} characters would be left in the output, so nothing is "
                          "written",
                          left.size()),
              "--redact", "please report this; another --redact-key may help");
}

}  // namespace raidscope::cli
