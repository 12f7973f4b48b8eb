#include <array>
#include <cstddef>
#include <openssl/evp.h>

#include "controllers/inventory/fingerprint.h"

namespace raidscope {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  // It fails only where the library was built without SHA-256; an empty text is then never a match.
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    return {};
  }
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(std::size_t{size} * 2);
  for (std::size_t i = 0; i < size; ++i) {
    out += digits[digest[i] >> 4];
    out += digits[digest[i] & 15U];
  }
  return out;
}

}  // namespace raidscope
