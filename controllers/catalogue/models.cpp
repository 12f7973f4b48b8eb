#include <array>

#include "controllers/catalogue/catalogue.h"

// The table of controller models. A fact without a source is left empty: nothing here was measured.
// Order: by generation, then as in the drivers' product tables.
namespace raidscope {
namespace {

constexpr std::uint16_t hp = 0x103c, compaq = 0x0e11, adaptec = 0x9005, hpe = 0x1590, lsi = 0x1000;
constexpr std::uint16_t g5_sas = 0x3230, g6 = 0x323a, gen8 = 0x323b, gen8_plus = 0x323c,
                        gen9 = 0x3239, gen10 = 0x028f;

constexpr std::string_view cciss_era = "cciss; hpsa since Linux 4.14";
constexpr std::string_view pci_hpsa =
    "PCI: pci.ids and the product table of Linux drivers/scsi/hpsa.c";
constexpr std::string_view pci_pqi =
    "PCI: pci.ids and the device table of Linux drivers/scsi/smartpqi/smartpqi_init.c";
constexpr std::string_view pci_cciss =
    "PCI: pci.ids, the product table of Linux drivers/scsi/hpsa.c and cciss(4)";
constexpr std::string_view name_only = "name as vendor tools print it; no PCI id was found";

constexpr std::optional<bool> yes = true, no = false, unknown = std::nullopt;

/// PCI identity of a row: vendor, device, then the subsystem.
struct Pci {
  std::uint16_t vendor, device, subvendor, subdevice;
};
struct Words {
  std::string_view host_link{}, drive_link{}, cache_options{}, raid_levels{}, ceiling{},
      last_firmware{};
};

constexpr ControllerModel row(std::string_view model, std::string_view generation, Pci pci,
                              std::optional<bool> embedded, std::optional<bool> smart_path,
                              std::optional<bool> cache, std::string_view drivers,
                              std::string_view citation, Words words = {}) {
  return {model,
          generation,
          embedded,
          pci.vendor,
          pci.device,
          pci.subvendor,
          pci.subdevice,
          smart_path,
          cache,
          drivers,
          words.host_link,
          words.drive_link,
          words.cache_options,
          words.raid_levels,
          words.ceiling,
          words.last_firmware,
          citation};
}

constexpr std::string_view g6_links = "SAS 6 Gb/s, SATA at most 3 Gb/s";
constexpr std::string_view g6_ceiling = "50,000 to 60,000 random IOPS (HP SSD paper, P410 class)";
constexpr std::string_view gen8_ceiling =
    "200,000 random 4K IOPS (HP performance factors paper, 2012)";
constexpr std::string_view g6_source =
    "HP ProLiant G6 and G7 server guides; HP Smart Array technology brief, 4th edition; PCI: "
    "pci.ids, "
    "Linux drivers/scsi/hpsa.c";
constexpr std::string_view gen8_source =
    "HP Smart Array performance factors paper (Dec 2012); vendor-tool outputs; PCI: pci.ids, Linux "
    "drivers/scsi/hpsa.c";
constexpr std::string_view gen9_source =
    "vendor-tool outputs published with monitoring tools; PCI: pci.ids, Linux drivers/scsi/hpsa.c";
constexpr std::string_view gen10_source =
    "vendor-tool outputs published with monitoring tools; PCI: pci.ids, Linux "
    "drivers/scsi/smartpqi/smartpqi_init.c";

constexpr auto models = std::to_array<ControllerModel>({
    // Parallel SCSI
    row("5300", "older", {compaq, 0xb060, compaq, 0x4070}, no, no, unknown, cciss_era, pci_cciss),
    row("5i", "older", {compaq, 0xb178, compaq, 0x4080}, yes, no, unknown, cciss_era, pci_cciss),
    row("532", "older", {compaq, 0xb178, compaq, 0x4082}, no, no, unknown, cciss_era, pci_cciss),
    row("5312", "older", {compaq, 0xb178, compaq, 0x4083}, no, no, unknown, cciss_era, pci_cciss),
    row("6i", "older", {compaq, 0x0046, compaq, 0x4091}, yes, no, unknown, cciss_era, pci_cciss),
    row("641", "older", {compaq, 0x0046, compaq, 0x409a}, no, no, unknown, cciss_era, pci_cciss),
    row("642", "older", {compaq, 0x0046, compaq, 0x409b}, no, no, unknown, cciss_era, pci_cciss),
    row("6400", "older", {compaq, 0x0046, compaq, 0x409c}, no, no, unknown, cciss_era, pci_cciss),
    row("6400 EM", "older", {compaq, 0x0046, compaq, 0x409d}, no, no, unknown, cciss_era,
        pci_cciss),
    row("6422", "older", {0, 0, compaq, 0x409e}, no, no, unknown, cciss_era,
        "board id table of cciss_vol_status"),
    row("MSA1500", "older", {}, no, no, unknown, "", "external array; name as hpacucli prints it"),

    // First SAS generation
    row("P600", "older", {hp, 0x3220, hp, 0x3225}, no, no, yes, cciss_era, pci_cciss),
    row("P800", "G5", {hp, g5_sas, hp, 0x3223}, no, no, yes, cciss_era, pci_cciss),
    row("P400", "G5", {hp, g5_sas, hp, 0x3234}, no, no, yes, cciss_era,
        "HP P400 questions and answers; ProLiant G5 technology guide; PCI: pci.ids, Linux hpsa.c",
        {.host_link = "PCIe 1.0 x8",
         .drive_link = "SAS 3 Gb/s",
         .cache_options = "256 MB with battery",
         .raid_levels = "0, 1, 1+0, 5; 6 with battery-backed cache"}),
    row("P400i", "G5", {hp, g5_sas, hp, 0x3235}, yes, no, yes, cciss_era,
        "hpssacli output published with netdata; PCI: pci.ids, Linux hpsa.c",
        {.drive_link = "SAS 3 Gb/s; SATA seen at 1.5 Gb/s",
         .cache_options = "256 MB with battery, 208 MB usable",
         .raid_levels = "0, 1, 1+0, 5; 6 with battery-backed cache"}),
    row("E500", "G5", {hp, g5_sas, hp, 0x3237}, no, no, unknown, cciss_era, pci_cciss),
    row("P700m", "G5", {hp, g5_sas, hp, 0x323d}, no, no, yes, cciss_era, pci_cciss),
    row("E200i", "G5", {hp, 0x3238, hp, 0x3211}, yes, no, yes, cciss_era, pci_cciss),
    row("E200i", "G5", {hp, 0x3238, hp, 0x3213}, yes, no, yes, cciss_era,
        "product table of Linux drivers/scsi/hpsa.c"),
    row("E200i", "G5", {hp, 0x3238, hp, 0x3214}, yes, no, yes, cciss_era,
        "product table of Linux drivers/scsi/hpsa.c"),
    row("E200i", "G5", {hp, 0x3238, hp, 0x3215}, yes, no, yes, cciss_era,
        "product table of Linux drivers/scsi/hpsa.c"),
    row("E200", "G5", {hp, 0x3238, hp, 0x3212}, no, no, yes, cciss_era, pci_cciss),

    // G6 and G7
    row("P212", "G6", {hp, g6, hp, 0x3241}, no, no, yes, "hpsa", g6_source,
        {.host_link = "PCIe 2.0",
         .drive_link = g6_links,
         .cache_options = "none (zero-memory RAID) or 256 MB with battery",
         .raid_levels = "without cache 0, 1, 1+0",
         .ceiling = g6_ceiling}),
    row("P410", "G6", {hp, g6, hp, 0x3243}, no, no, yes, "hpsa", g6_source,
        {.host_link = "PCIe 2.0 x8",
         .drive_link = g6_links,
         .cache_options =
             "none (zero-memory RAID), 256 or 512 MB with battery (144 or 400 usable), "
             "1 GB with capacitor (912 MB usable)",
         .raid_levels = "without cache 0, 1, 1+0; with cache also 5, 50; 6, 60 licensed",
         .ceiling = g6_ceiling}),
    row("P410i", "G6", {hp, g6, hp, 0x3245}, yes, no, yes, "hpsa", g6_source,
        {.host_link = "PCIe 2.0",
         .drive_link = g6_links,
         .cache_options =
             "none as delivered (zero-memory RAID), 256 or 512 MB with battery, 512 MB or "
             "1 GB with capacitor",
         .raid_levels = "without cache 0, 1, 1+0; with cache also 5, 50; 6, 60 licensed",
         .ceiling = g6_ceiling,
         .last_firmware = "6.64"}),
    row("P411", "G6", {hp, g6, hp, 0x3247}, no, no, yes, "hpsa", g6_source,
        {.host_link = "PCIe 2.0",
         .drive_link = g6_links,
         .cache_options = "none (zero-memory RAID) or a module with battery or capacitor",
         .raid_levels = "without cache 0, 1, 1+0; with cache also 5, 50; 6, 60 licensed",
         .ceiling = g6_ceiling}),
    row("P812", "G6", {hp, g6, hp, 0x3249}, no, no, yes, "hpsa", g6_source,
        {.host_link = "PCIe 2.0",
         .drive_link = g6_links,
         .cache_options = "1 GB with capacitor",
         .raid_levels = "0, 1, 1+0, 5, 6",
         .ceiling = "60,000 random 4K IOPS (HP performance factors paper, 2012)"}),
    row("P712m", "G6", {hp, g6, hp, 0x324a}, no, no, yes, "hpsa", pci_hpsa),
    row("P711m", "G7", {hp, g6, hp, 0x324b}, no, no, yes, "hpsa", pci_hpsa),
    row("1210m", "G6", {hp, 0x333f, hp, 0x333f}, no, no, unknown, "hpsa",
        "StorageWorks 1210m; product table of Linux drivers/scsi/hpsa.c"),
    row("1210m", "G6", {hp, g6, hp, 0x3233}, no, no, unknown, "hpsa",
        "StorageWorks 1210m; product table of Linux drivers/scsi/hpsa.c"),
    row("B110i", "G6", {0, 0, hp, 0x3118}, yes, no, no, "hpahcisr",
        "software RAID on a chipset SATA controller; PCI: pci.ids"),

    // Gen8
    row("P222", "Gen8", {hp, gen8, hp, 0x3350}, no, yes, yes, "hpsa", gen8_source,
        {.drive_link = "SAS and SATA 6 Gb/s, 8 lanes (1 port inside, 1 outside)",
         .cache_options = "512 MiB, 40 bits wide, with capacitor",
         .ceiling = gen8_ceiling}),
    row("P420", "Gen8", {hp, gen8, hp, 0x3351}, no, yes, yes, "hpsa", gen8_source,
        {.host_link = "PCIe 3.0 x8",
         .drive_link = "SAS and SATA 6 Gb/s, 8 lanes",
         .cache_options = "none (zero memory), 512 MiB, 1 GiB or 2 GiB with capacitor",
         .raid_levels = "0, 1, 1+0, 5, 50; 6, 60 licensed",
         .ceiling = gen8_ceiling,
         .last_firmware = "8.32"}),
    row("P421", "Gen8", {hp, gen8, hp, 0x3352}, no, yes, yes, "hpsa", gen8_source,
        {.drive_link = "SAS and SATA 6 Gb/s, 8 lanes",
         .cache_options = "1 GiB (816 MiB usable) or 2 GiB with capacitor",
         .raid_levels = "0, 1, 1+0, 5, 50; 6, 60 licensed",
         .ceiling = gen8_ceiling}),
    row("P822", "Gen8", {hp, gen8, hp, 0x3353}, no, yes, yes, "hpsa", gen8_source,
        {.drive_link = "SAS and SATA 6 Gb/s, 24 lanes (2 ports inside, 4 outside)",
         .cache_options = "2 GiB with capacitor, 1.8 GiB usable",
         .raid_levels = "6 and ADM licensed",
         .ceiling = gen8_ceiling}),
    row("P822se", "Gen8", {0, 0, hp, 0x334d}, no, yes, yes, "hpsa",
        "board id table of cciss_vol_status"),
    row("P420i", "Gen8", {hp, gen8, hp, 0x3354}, yes, yes, yes,
        "hpsa; Smart Path from hpsa 3.4.4-1", gen8_source,
        {.host_link = "PCIe 3.0 x8",
         .drive_link = "SAS and SATA 6 Gb/s, 8 lanes",
         .cache_options =
             "512 MiB, 1 GiB (816 MiB usable) or 2 GiB (1.8 GiB usable) with capacitor",
         .raid_levels = "0, 1, 1+0, 5, 50; 6, 60 licensed",
         .ceiling = gen8_ceiling,
         .last_firmware = "8.32"}),
    row("P220i", "Gen8", {hp, gen8, hp, 0x3355}, yes, yes, yes, "hpsa", gen8_source,
        {.drive_link = "SAS and SATA 6 Gb/s, 4 ports"}),
    row("P721m", "Gen8", {hp, gen8, hp, 0x3356}, no, yes, yes, "hpsa",
        "product table of Linux drivers/scsi/hpsa.c"),
    row("B120i", "Gen8", {0, 0, hpe, 0x0048}, yes, no, no, "hpvsa",
        "software RAID; vendor-tool output; board id table of cciss_vol_status"),
    row("B120i", "Gen8", {0, 0, hpe, 0x006c}, yes, no, no, "hpvsa",
        "software RAID; board id table of cciss_vol_status"),
    row("B120i", "Gen8", {0, 0, hpe, 0x0084}, yes, no, no, "hpvsa",
        "software RAID; board id table of cciss_vol_status"),
    row("B320i", "Gen8", {0, 0, hpe, 0x0045}, yes, no, no, "hpvsa",
        "software RAID; vendor-tool output; board id table of cciss_vol_status"),
    row("B320i", "Gen8", {0, 0, hpe, 0x0047}, yes, no, no, "hpvsa",
        "software RAID; board id table of cciss_vol_status"),
    row("H220", "Gen8", {}, no, no, no, "mpt2sas, mpt3sas", name_only),
    row("H220i", "Gen8", {lsi, 0x0087, hpe, 0x0041}, unknown, no, no, "mpt2sas, mpt3sas",
        "LSI SAS2308; PCI: pci.ids"),
    row("H220i", "Gen8", {lsi, 0x0087, hpe, 0x0044}, unknown, no, no, "mpt2sas, mpt3sas",
        "LSI SAS2308; PCI: pci.ids"),
    row("H221", "Gen8", {lsi, 0x0087, hpe, 0x0042}, no, no, no, "mpt2sas, mpt3sas",
        "LSI SAS2308; PCI: pci.ids"),
    row("H222", "Gen8", {}, no, no, no, "mpt2sas, mpt3sas", name_only),

    // Gen8+
    row("P430i", "Gen8+", {hp, gen8_plus, hp, 0x1920}, yes, yes, yes, "hpsa", pci_hpsa),
    row("P830i", "Gen8+", {hp, gen8_plus, hp, 0x1921}, yes, yes, yes, "hpsa", pci_hpsa),
    row("P430", "Gen8+", {hp, gen8_plus, hp, 0x1922}, no, yes, yes, "hpsa", pci_hpsa),
    row("P431", "Gen8+", {hp, gen8_plus, hp, 0x1923}, no, yes, yes, "hpsa", pci_hpsa),
    row("P830", "Gen8+", {hp, gen8_plus, hp, 0x1924}, no, yes, yes, "hpsa", pci_hpsa),
    row("P831", "Gen8+", {hp, gen8_plus, hp, 0x1925}, no, yes, yes, "hpsa",
        "product table of Linux drivers/scsi/hpsa.c"),
    row("P731m", "Gen8+", {hp, gen8_plus, hp, 0x1926}, no, yes, yes, "hpsa", pci_hpsa),
    row("P230i", "Gen8+", {hp, gen8_plus, hp, 0x1928}, yes, yes, yes, "hpsa", pci_hpsa),
    row("P530", "Gen8+", {hp, gen8_plus, hp, 0x1929}, no, yes, yes, "hpsa",
        "product table of Linux drivers/scsi/hpsa.c"),
    row("P531", "Gen8+", {0, 0, hp, 0x192a}, no, yes, yes, "hpsa",
        "board id table of cciss_vol_status"),

    // Gen9
    row("P244br", "Gen9", {hp, gen9, hp, 0x21bd}, yes, yes, yes, "hpsa", pci_hpsa),
    row("P741m", "Gen9", {hp, gen9, hp, 0x21be}, no, yes, yes, "hpsa", pci_hpsa),
    row("H240ar", "Gen9", {hp, gen9, hp, 0x21bf}, yes, yes, no, "hpsa", gen9_source,
        {.cache_options = "none by design"}),
    row("P440ar", "Gen9", {hp, gen9, hp, 0x21c0}, yes, yes, yes, "hpsa", gen9_source,
        {.host_link = "PCIe 3.0 x8 (7880 MB/s)",
         .drive_link = "SAS 12 Gb/s, 2 ports inside",
         .cache_options = "2 GB (1.8 usable) backed by the server's battery",
         .raid_levels = "0, 1, 1+0, 5, 6, 50, 60"}),
    row("P840ar", "Gen9", {hp, gen9, hp, 0x21c1}, yes, yes, yes, "hpsa", pci_hpsa),
    row("P440", "Gen9", {hp, gen9, hp, 0x21c2}, no, yes, yes, "hpsa",
        "HPE advisory on 4 GB cache modules; PCI: pci.ids, Linux drivers/scsi/hpsa.c",
        {.host_link = "PCIe 3.0 x8", .drive_link = "SAS 12 Gb/s", .cache_options = "4 GB"}),
    row("P441", "Gen9", {hp, gen9, hp, 0x21c3}, no, yes, yes, "hpsa", gen9_source,
        {.host_link = "PCIe 3.0 x8",
         .drive_link = "SAS 12 Gb/s outside",
         .cache_options = "4 GB (3.2 usable)"}),
    row("Smart Array 21c4", "Gen9", {hp, gen9, hp, 0x21c4}, unknown, yes, unknown, "hpsa",
        pci_hpsa),
    row("P841", "Gen9", {hp, gen9, hp, 0x21c5}, no, yes, yes, "hpsa", pci_hpsa),
    row("H244br", "Gen9", {hp, gen9, hp, 0x21c6}, yes, yes, no, "hpsa", pci_hpsa,
        {.cache_options = "none by design"}),
    row("H240", "Gen9", {hp, gen9, hp, 0x21c7}, no, yes, no, "hpsa", gen9_source,
        {.host_link = "PCIe 3.0 x8", .cache_options = "none by design"}),
    row("H241", "Gen9", {hp, gen9, hp, 0x21c8}, no, yes, no, "hpsa", pci_hpsa,
        {.cache_options = "none by design"}),
    row("Smart Array 21c9", "Gen9", {hp, gen9, hp, 0x21c9}, unknown, yes, unknown, "hpsa",
        pci_hpsa),
    row("P246br", "Gen9", {hp, gen9, hp, 0x21ca}, yes, yes, yes, "hpsa", pci_hpsa),
    row("P840", "Gen9", {hp, gen9, hp, 0x21cb}, no, yes, yes, "hpsa",
        "HPE advisory on 4 GB cache modules; PCI: pci.ids, Linux drivers/scsi/hpsa.c",
        {.cache_options = "4 GB"}),
    row("P542t", "Gen9", {hp, gen9, hp, 0x21cc}, unknown, yes, unknown, "hpsa",
        "board id table of cciss_vol_status; hpsa.c names no model"),
    row("P542d", "Gen9", {}, unknown, yes, yes, "hpsa", name_only),
    row("P240nr", "Gen9", {hp, gen9, hp, 0x21cd}, unknown, yes, unknown, "hpsa",
        "PCI: pci.ids; cciss_vol_status calls it P240tr"),
    row("H240nr", "Gen9", {hp, gen9, hp, 0x21ce}, unknown, yes, no, "hpsa",
        "PCI: pci.ids; cciss_vol_status calls it H240tr", {.cache_options = "none by design"}),
    row("B140i", "Gen9", {}, yes, no, no, "", "software RAID; vendor-tool output"),

    // Gen10
    row("P408i-p", "Gen10", {adaptec, gen10, hp, 0x0600}, no, yes, yes, "smartpqi", pci_pqi),
    row("P408e-p", "Gen10", {adaptec, gen10, hp, 0x0601}, no, yes, yes, "smartpqi", pci_pqi),
    row("P408i-a", "Gen10", {adaptec, gen10, hp, 0x0602}, unknown, yes, yes, "smartpqi",
        gen10_source,
        {.host_link = "PCIe 3.0 x8",
         .drive_link = "SAS 12 Gb/s",
         .cache_options = "2 GB (1.8 usable) with battery",
         .raid_levels = "0, 1, 1+0, 5, 6, 50, 60"}),
    row("P408i-c", "Gen10", {adaptec, gen10, hp, 0x0603}, unknown, yes, yes, "smartpqi", pci_pqi),
    row("SR Gen10 0609", "Gen10", {adaptec, gen10, hp, 0x0609}, unknown, yes, unknown, "smartpqi",
        "device table of Linux smartpqi; no name was found"),
    row("E208i-p", "Gen10", {adaptec, gen10, hp, 0x0650}, no, yes, no, "smartpqi", gen10_source,
        {.host_link = "PCIe 3.0",
         .drive_link = "SAS 12 Gb/s",
         .cache_options = "none by design",
         .raid_levels = "0, 1, 1+0, 5"}),
    row("E208e-p", "Gen10", {adaptec, gen10, hp, 0x0651}, no, yes, no, "smartpqi", pci_pqi,
        {.cache_options = "none by design"}),
    row("E208i-c", "Gen10", {adaptec, gen10, hp, 0x0652}, unknown, yes, no, "smartpqi", pci_pqi,
        {.cache_options = "none by design"}),
    row("SR Gen10 0653", "Gen10", {adaptec, gen10, hp, 0x0653}, unknown, yes, unknown, "smartpqi",
        "device table of Linux smartpqi; no name was found"),
    row("E208i-a", "Gen10", {adaptec, gen10, hp, 0x0654}, unknown, yes, no, "smartpqi",
        gen10_source,
        {.host_link = "PCIe 3.0",
         .drive_link = "SAS 12 Gb/s",
         .cache_options = "none by design",
         .raid_levels = "0, 1, 1+0, 5"}),
    row("P408e-m", "Gen10", {adaptec, gen10, hp, 0x0655}, no, yes, yes, "smartpqi", pci_pqi),
    row("P204i-c", "Gen10", {adaptec, gen10, hp, 0x0700}, unknown, yes, yes, "smartpqi", pci_pqi),
    row("P204i-b", "Gen10", {adaptec, gen10, hp, 0x0701}, unknown, yes, yes, "smartpqi", pci_pqi),
    row("SR Gen10 1001", "Gen10", {adaptec, gen10, hp, 0x1001}, unknown, yes, unknown, "smartpqi",
        "device table of Linux smartpqi; no name was found"),
    row("SR Gen10 1002", "Gen10", {adaptec, gen10, hp, 0x1002}, unknown, yes, unknown, "smartpqi",
        "device table of Linux smartpqi; no name was found"),
    row("P816i-a", "Gen10", {adaptec, gen10, hp, 0x1100}, unknown, yes, yes, "smartpqi",
        gen10_source,
        {.host_link = "PCIe 3.0 x8",
         .drive_link = "SAS 12 Gb/s, 16 lanes inside",
         .cache_options = "4 GB (3.8 usable)",
         .raid_levels = "0, 1, 1+0, 5, 6, 50, 60"}),
    row("P416ie-m", "Gen10", {adaptec, gen10, hp, 0x1101}, no, yes, yes, "smartpqi", pci_pqi),
    row("P824i-p", "Gen10", {}, no, no, yes, "megaraid_sas",
        "HPE Smart Array P824i-p MR Gen10 user guide: FastPath in place of Smart Path; ssacli does "
        "not "
        "manage it"),

    // Gen10+
    row("SR932i-p", "Gen10+", {adaptec, gen10, hpe, 0x0294}, no, yes, yes, "smartpqi", pci_pqi),
    row("SR416i-a", "Gen10+", {adaptec, gen10, hpe, 0x02dc}, unknown, yes, yes, "smartpqi",
        pci_pqi),
    row("SR 02db", "Gen10+", {adaptec, gen10, hpe, 0x02db}, unknown, yes, unknown, "smartpqi",
        "device table of Linux smartpqi; no name was found"),
    row("SR 032e", "Gen10+", {adaptec, gen10, hpe, 0x032e}, unknown, yes, unknown, "smartpqi",
        "device table of Linux smartpqi; no name was found"),
    row("SR 036f", "Gen10+", {adaptec, gen10, hpe, 0x036f}, unknown, yes, unknown, "smartpqi",
        "device table of Linux smartpqi; no name was found"),
    row("SR 0381", "Gen10+", {adaptec, gen10, hpe, 0x0381}, unknown, yes, unknown, "smartpqi",
        "device table of Linux smartpqi; no name was found"),
    row("SR 0382", "Gen10+", {adaptec, gen10, hpe, 0x0382}, unknown, yes, unknown, "smartpqi",
        "device table of Linux smartpqi; no name was found"),
    row("SR 0383", "Gen10+", {adaptec, gen10, hpe, 0x0383}, unknown, yes, unknown, "smartpqi",
        "device table of Linux smartpqi; no name was found"),

    // Sold under other names on the same silicon. The generation word is HP's, so it is empty here.
    row("3154-8i", "", {adaptec, gen10, adaptec, 0x0800}, no, yes, yes, "smartpqi", pci_pqi),
    row("3152-8i", "", {adaptec, gen10, adaptec, 0x0801}, no, yes, yes, "smartpqi", pci_pqi),
    row("3151-4i", "", {adaptec, gen10, adaptec, 0x0802}, no, yes, yes, "smartpqi", pci_pqi),
    row("3101-4i", "", {adaptec, gen10, adaptec, 0x0803}, no, yes, yes, "smartpqi", pci_pqi),
    row("3154-8e", "", {adaptec, gen10, adaptec, 0x0804}, no, yes, yes, "smartpqi", pci_pqi),
    row("3102-8i", "", {adaptec, gen10, adaptec, 0x0805}, no, yes, yes, "smartpqi", pci_pqi),
    row("3162-8i", "", {adaptec, gen10, adaptec, 0x0807}, no, yes, yes, "smartpqi", pci_pqi),
    row("2100-8i", "", {adaptec, gen10, adaptec, 0x0900}, no, yes, no, "smartpqi", pci_pqi),
    row("2100-4i", "", {adaptec, gen10, adaptec, 0x0901}, no, yes, no, "smartpqi", pci_pqi),
    row("2100-8e", "", {adaptec, gen10, adaptec, 0x0904}, no, yes, no, "smartpqi", pci_pqi),
    row("2100-4i4e", "", {adaptec, gen10, adaptec, 0x0906}, no, yes, no, "smartpqi", pci_pqi),
    row("SmartHBA-SA", "", {adaptec, 0x0290, adaptec, 0x0580}, no, unknown, no, "hpsa",
        "product table of Linux drivers/scsi/hpsa.c"),
    row("SmartHBA-SA 8i", "", {adaptec, 0x0290, adaptec, 0x0581}, no, unknown, no, "hpsa",
        "product table of Linux drivers/scsi/hpsa.c"),
    row("SmartHBA-SA 8i8e", "", {adaptec, 0x0290, adaptec, 0x0582}, no, unknown, no, "hpsa",
        "product table of Linux drivers/scsi/hpsa.c"),
    row("SmartHBA-SA 8e", "", {adaptec, 0x0290, adaptec, 0x0583}, no, unknown, no, "hpsa",
        "product table of Linux drivers/scsi/hpsa.c"),
    row("SmartHBA-SA 16i", "", {adaptec, 0x0290, adaptec, 0x0584}, no, unknown, no, "hpsa",
        "product table of Linux drivers/scsi/hpsa.c"),
    row("SmartHBA-SA 4i4e", "", {adaptec, 0x0290, adaptec, 0x0585}, no, unknown, no, "hpsa",
        "product table of Linux drivers/scsi/hpsa.c"),
    row("P1224", "", {hpe, 0x0075, hpe, 0x0076}, unknown, unknown, unknown, "hpsa",
        "3PAR board; product table of Linux drivers/scsi/hpsa.c"),
    row("P1224e", "", {hpe, 0x0075, hpe, 0x0087}, unknown, unknown, unknown, "hpsa",
        "3PAR board; product table of Linux drivers/scsi/hpsa.c"),
    row("P1228", "", {hpe, 0x0075, hpe, 0x007d}, unknown, unknown, unknown, "hpsa",
        "3PAR board; product table of Linux drivers/scsi/hpsa.c"),
    row("P1228e", "", {hpe, 0x0075, hpe, 0x0088}, unknown, unknown, unknown, "hpsa",
        "3PAR board; product table of Linux drivers/scsi/hpsa.c"),
});

}  // namespace

std::span<const ControllerModel> controller_models() noexcept {
  return models;
}

}  // namespace raidscope
