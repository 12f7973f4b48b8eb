#include "reports/store/sqlite_store.h"
#include "reports/store/store.h"

namespace raidscope {

Result<std::unique_ptr<Store>> open_store(const std::string& location,
                                          const StoreOptions& options) {
  constexpr std::string_view sqlite_scheme = "sqlite:";
  for (const std::string_view scheme : {"postgresql://", "postgres://"}) {
    if (location.rfind(scheme, 0) == 0) {
      return fail(
          Errc::unsupported, "this build of raidscope has no PostgreSQL store",
          std::string(scheme) + "…",  // never the whole: it may hold a password
          "give --store a path for SQLite, and bring results together with export and import");
    }
  }
  std::string path = location;
  if (path.rfind(sqlite_scheme, 0) == 0) {
    path.erase(0, sqlite_scheme.size());
  } else if (const std::size_t scheme = path.find("://"); scheme != std::string::npos) {
    return fail(Errc::unsupported, "no store of this kind", path.substr(0, scheme) + "://…",
                "give --store a path, or sqlite:PATH");
  }
  if (path.empty()) {
    return fail(Errc::usage, "the store's path is empty", location, "give --store a path");
  }
  return sqlite::open_file(path, options);
}

}  // namespace raidscope
