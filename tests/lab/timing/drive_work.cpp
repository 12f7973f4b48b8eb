#include "tests/lab/timing/drive_work.h"

#include <algorithm>

#include "tests/lab/card/placement.h"

namespace raidscope::lab {

std::vector<Piece> pieces_of(const Machine& machine, const PlacedVolume& volume,
                             const Transfer& transfer) {
  const Placement placement(volume);
  const RowLayout& rows = placement.rows();
  const std::size_t first = first_number(machine, *volume.array);
  const std::uint64_t end = transfer.block + transfer.blocks, row = placement.row_sectors();
  std::vector<Piece> out;
  for (std::uint64_t block = transfer.block; block < end;) {
    const Placement::Column column = placement.column_of(block);
    const std::uint64_t row_begins = block / row * row;
    const bool fills_row = transfer.block <= row_begins && row_begins + row <= end;
    Piece data{{}, !transfer.writes, !transfer.writes, transfer.writes};
    Piece parity = data;
    for (std::uint32_t copy = 0; copy < rows.copies; ++copy) {
      data.drives.push_back(first + placement.drive_index(copy, column));
      for (std::uint32_t n = 0; n < rows.parity; ++n) {
        parity.drives.push_back(first + placement.drive_index(copy, {column.group, rows.data + n}));
      }
    }
    if (transfer.writes && rows.parity > 0) {
      data.reads = parity.reads = !fills_row;
      // A row that is filled has its parity written once, not with every strip.
      if (!fills_row || column.drive == 0) out.push_back(std::move(parity));
    }
    out.push_back(std::move(data));
    block = std::min(end, (block / placement.strip() + 1) * placement.strip());
  }
  return out;
}

Time busy_time(const Piece& piece, const DriveTimes& drive) {
  return Time((piece.reads ? drive.read_us : 0) + (piece.writes ? drive.write_us : 0));
}

}  // namespace raidscope::lab
