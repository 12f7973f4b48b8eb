#include <algorithm>

#include <gtest/gtest.h>

#include "workloads/derived.h"
#include "workloads/syntax.h"
#include "workloads/workload_check.h"

namespace raidscope {
namespace {

Result<std::vector<Workload>> parse(std::string_view syntax, std::string_view text) {
  return find_syntax(syntax)->parse(text, [](const std::string& name) -> Result<std::string> {
    if (name == "common.fio") return "bs=8k\niodepth=4\n";
    return fail(Errc::not_found, "no such file", name);
  });
}

Workload only(std::string_view syntax, std::string_view text) {
  auto got = parse(syntax, text);
  EXPECT_TRUE(got) << text << ": " << (got ? "" : describe(got.error()));
  return got && got->size() == 1 ? got->front() : Workload{};
}

bool warns(const Workload& w, std::string_view word) {
  return std::any_of(w.warnings.begin(), w.warnings.end(), [&](const std::string& warning) {
    return warning.find(word) != std::string::npos;
  });
}

TEST(Diskspd, DefaultsAreNamed) {
  const Workload w = only("diskspd", "diskspd.exe x.dat");
  EXPECT_EQ(w.block_bytes.front(), 65536U);
  EXPECT_EQ(w.queue_depth_per_worker, 2U);
  EXPECT_EQ(w.workers, 1U);
  EXPECT_EQ(w.read_percent, 100);
  EXPECT_EQ(w.pattern, Pattern::sequential);
  EXPECT_EQ(w.duration_s, 10);
  EXPECT_EQ(w.ramp_s, 5);
  EXPECT_FALSE(w.direct);
  EXPECT_TRUE(warns(w, "file cache"));
  EXPECT_TRUE(warns(w, "10 s measured after 5 s"));
}

TEST(Diskspd, TheStudiesLine) {
  const Workload w = only("diskspd", "-b4K -d540 -W0 -t8 -o64 -r512 -w33 -Sh -L -Zr -f4G #1");
  EXPECT_EQ(w.outstanding_total, 512U);
  EXPECT_EQ(w.alignment_bytes, 512U);
  EXPECT_EQ(w.read_percent, 67);
  EXPECT_EQ(w.area_bytes, 4294967296U);
  EXPECT_EQ(w.sync, Sync::write_through);
  EXPECT_TRUE(w.direct);
  EXPECT_EQ(w.targets, std::vector<std::string>{"#1"});
}

TEST(Diskspd, ThreadsAreEachTargetsOwnOrGoOverAll) {
  const Workload own = only("diskspd", "-t4 -o8 -r a b");
  ASSERT_EQ(own.groups.size(), 2U);
  EXPECT_EQ(own.outstanding_total, 64U);
  const Workload all = only("diskspd", "-F4 -o8 -r a b");
  EXPECT_TRUE(all.groups.empty());
  EXPECT_EQ(all.outstanding_total, 64U);
  const Workload over = only("diskspd", "-F4 -O8 -r a b");
  EXPECT_TRUE(over.depth_over_targets);
  EXPECT_EQ(over.outstanding_total, 32U);
}

TEST(Diskspd, PatternsAndRates) {
  EXPECT_EQ(only("diskspd", "-rs75 -t2 a").random_percent, 75);
  EXPECT_EQ(only("diskspd", "-si128K -t2 a").cursor, SequentialCursor::shared);
  EXPECT_EQ(only("diskspd", "-s128K -t2 a").cursor, SequentialCursor::own);
  EXPECT_TRUE(warns(only("diskspd", "-s -t2 a"), "same blocks"));
  EXPECT_EQ(only("diskspd", "-s -t2 -T1M a").worker_offset_bytes, 1048576U);
  EXPECT_EQ(only("diskspd", "-b4K -s -f2b a").area_bytes, 8192U);
  const Workload hot = only("diskspd", "-rdpct90/10:5/5 a");
  EXPECT_EQ(hot.hot_spots, (std::vector<HotSpot>{{90, 10}, {5, 5}, {5, 85}}));
  EXPECT_EQ(only("diskspd", "-r -t2 -g100i a").rate_iops, 200);
  EXPECT_EQ(only("diskspd", "-r -b4K -g4096 a").rate_iops, 1000);
  const Workload bursts = only("diskspd", "-r -i16 -j5 a");
  EXPECT_EQ(bursts.burst, 16U);
  EXPECT_EQ(bursts.think_us, 5000);
}

TEST(Diskspd, RefusesByName) {
  const std::pair<const char*, const char*> cases[] = {
      {"-Xprofile.xml", "-Xprofile.xml"},
      {"-ysgo a", "-ysgo"},
      {"-Sm a", "-Sm"},
      {"-rdabs10/1G a", "-rdabs"},
      {"-k4 a", "-k4"},
      {"-b a", "size"},
      {"-t2 -F4 a", "exclude"},
      {"-r -s a", "exclude"},
      {"-w101 a", "0 to 100"},
      {"-O4 a", "-F"},
  };
  for (const auto& [text, message] : cases) {
    const auto got = parse("diskspd", text);
    ASSERT_FALSE(got) << text;
    EXPECT_EQ(got.error().code, Errc::malformed);
    EXPECT_NE((got.error().message + got.error().hint).find(message), std::string::npos)
        << got.error().message;
  }
}

TEST(Fio, ReadsAJob) {
  const Workload w =
      only("fio",
           "; a comment\n[global]\nioengine=libaio\ndirect=1\ntime_based\nruntime=60\n"
           "ramp_time=5s\ngroup_reporting\n\n[db]\nfilename=/dev/sdb\nrw=randrw\n"
           "rwmixread=67\nbs=4k\niodepth=64\nnumjobs=8\nsize=4g\nnorandommap\n");
  EXPECT_EQ(w.name, "db");
  EXPECT_EQ(w.outstanding_total, 512U);
  EXPECT_EQ(w.read_percent, 67);
  EXPECT_EQ(w.duration_s, 60);
  EXPECT_EQ(w.ramp_s, 5);
  EXPECT_EQ(w.area_bytes, 4294967296U);
  EXPECT_EQ(w.spread, Spread::uniform);
  EXPECT_TRUE(w.direct);
  EXPECT_TRUE(warns(w, "512 outstanding: 8 workers × 64"));
  EXPECT_TRUE(warns(w, "refill_buffers"));
}

TEST(Fio, NamesItsTraps) {
  const Workload w = only("fio", "[a]\nrw=randread\niodepth=32\nsize=1g\nfilename=x\n");
  EXPECT_EQ(w.queue_depth_per_worker, 1U);
  EXPECT_TRUE(warns(w, "iodepth=32 has no effect"));
  EXPECT_FALSE(w.direct);
  EXPECT_TRUE(warns(w, "direct is 0"));
  EXPECT_EQ(w.spread, Spread::once);
  EXPECT_TRUE(warns(w, "norandommap"));
  EXPECT_TRUE(warns(w, "without runtime"));
  EXPECT_TRUE(warns(only("fio", "[a]\nrw=read\nbs=4KiB\nfilename=x\n"), "4KiB"));
  EXPECT_EQ(only("fio", "[a]\nrw=read\nbs=4KiB\nfilename=x\n").block_bytes.front(), 4000U);
  EXPECT_EQ(only("fio", "[a]\nrw=read\nbs=4KiB\nkb_base=1000\nfilename=x\n").block_bytes.front(),
            4096U);
  EXPECT_TRUE(warns(only("fio", "[a]\nrw=read\nnumjobs=4\nfilename=x\n"), "same blocks"));
}

TEST(Fio, MixesSpreadsAndRates) {
  const Workload split = only("fio", "[a]\nrw=randrw\nbssplit=4k/70:64k/30\nfilename=x\n");
  ASSERT_EQ(split.mix.size(), 2U);
  EXPECT_EQ(split.mix[0].percent, 70);
  EXPECT_EQ(split.mix[1].alignment_bytes, 4096U);
  EXPECT_EQ(split.mix[1].read_percent, 50);
  const Workload two = only("fio", "[a]\nrw=randrw\nrwmixread=75\nbs=4k,16k\nfilename=x\n");
  ASSERT_EQ(two.mix.size(), 2U);
  EXPECT_EQ(two.mix[0].read_percent, 100);
  EXPECT_EQ(two.mix[1].block_bytes, 16384U);
  EXPECT_EQ(two.mix[1].percent, 25);
  const Workload zipf = only("fio", "[a]\nrw=randread\nrandom_distribution=zipf:1.2\nfilename=x\n");
  EXPECT_EQ(zipf.spread, Spread::zipf);
  EXPECT_EQ(zipf.skew, 1.2);
  const Workload rate =
      only("fio", "[a]\nrw=randread\nrate_iops=500\nrate_process=poisson\nnumjobs=2\nfilename=x\n");
  EXPECT_EQ(rate.rate_iops, 1000);
  EXPECT_EQ(rate.arrivals, Arrivals::poisson);
  EXPECT_EQ(only("fio", "[a]\nrw=read:12k\nbs=4k\nfilename=x\n").stride_bytes, 16384U);
  const Workload regions =
      only("fio", "[a]\nrw=read\nnumjobs=4\nsize=1g\noffset_increment=1g\nfilename=x\n");
  EXPECT_EQ(regions.cursor, SequentialCursor::per_worker);
  EXPECT_EQ(regions.area_bytes, 4294967296U);
}

TEST(Fio, JobsBetweenStonewallsAreOneWorkload) {
  const auto points = parse("fio",
                            "[global]\ninclude common.fio\nrw=randread\nioengine=io_uring\n"
                            "[a]\nfilename=/dev/sda\n[b]\nfilename=/dev/sdb\nnumjobs=2\n"
                            "[c]\nstonewall\nrw=randwrite\nfilename=/dev/sda:/dev/sdb\n");
  ASSERT_TRUE(points) << describe(points.error());
  ASSERT_EQ(points->size(), 2U);
  EXPECT_EQ((*points)[0].groups.size(), 2U);
  EXPECT_EQ((*points)[0].outstanding_total, 12U);
  EXPECT_EQ((*points)[0].block_bytes.front(), 8192U);
  EXPECT_EQ((*points)[1].read_percent, 0);
  EXPECT_TRUE((*points)[1].depth_over_targets);
  EXPECT_EQ((*points)[1].outstanding_total, 4U);
}

TEST(Fio, RefusesByNameAndLine) {
  struct Case {
    const char* text;
    const char* message;
    const char* where;
  };
  const Case cases[] = {
      {"", "no job", "line 1"},
      {"rw=read\n", "before any", "line 1"},
      {"[a]\nrw=sideways\n", "rw=sideways", "line 2"},
      {"[a]\nfilename=x\nfrobnicate=1\n", "frobnicate=1", "line 3"},
      {"[a]\nfilename=x\nloops=4\n", "loops=4", "line 3"},
      {"[a]\nfilename=${DISK}\n", "${DISK}", "line 2"},
      {"[a]\nrw=randread\nrandom_distribution=normal:50\n", "normal", "line 3"},
      {"[a]\nrw=read\nfilename=x\n[b]\nrw=write\nfilename=x\n", "differ in rw", "line 4"},
      {"[a]\nioengine=net\n", "ioengine=net", "line 2"},
      {"[a]\nsize=50%\n", "size=50%", "line 2"},
  };
  for (const Case& c : cases) {
    const auto got = parse("fio", c.text);
    ASSERT_FALSE(got) << c.text;
    EXPECT_EQ(got.error().code, Errc::malformed) << c.text;
    EXPECT_NE(got.error().message.find(c.message), std::string::npos) << got.error().message;
    EXPECT_EQ(got.error().where, c.where) << c.text;
  }
}

TEST(Fio, CutsEveryLineAtACommentWhereverItBegins) {
  const Workload w = only("fio",
                          "[a] ; the job\nrw=randread ; random\nbs=8k#eight\nioengine=libaio\n"
                          "iodepth=8   # deep\nfilename=/x/n2.dat ; here\n  ; nothing\n");
  EXPECT_EQ(w.name, "a");
  EXPECT_EQ(w.pattern, Pattern::random);
  EXPECT_EQ(w.block_bytes.front(), 8192U);
  EXPECT_EQ(w.queue_depth_per_worker, 8U);
  EXPECT_EQ(w.targets, std::vector<std::string>{"/x/n2.dat"});
  // What would be cut when it is read again is not written in silence.
  Workload odd = w;
  odd.targets = {"/x/a;b"};
  EXPECT_FALSE(find_syntax("fio")->print(std::span(&odd, 1)).losses.empty());
}

TEST(Fio, ARandomMapOfSeveralSizesIsDrawnFreelyAndSaysSo) {
  for (const std::string sizes : {"bssplit=4k/60:64k/40", "bs=4k,64k"}) {
    const Workload w = only("fio", "[a]\nrw=randrw\nrwmixread=67\nfilename=x\n" + sizes + "\n");
    EXPECT_EQ(w.spread, Spread::uniform) << sizes;
    EXPECT_TRUE(warns(w, "no equivalent")) << sizes;
    EXPECT_TRUE(check_workload(w)) << sizes;
    const Printed printed = find_syntax("fio")->print(std::span(&w, 1));
    EXPECT_TRUE(printed.losses.empty()) << sizes;
    Workload again = only("fio", printed.text);
    again.source = w.source;
    again.warnings = w.warnings;
    EXPECT_EQ(again, w) << printed.text;
  }
  const Workload one = only("fio", "[a]\nrw=randread\nbssplit=4k/60:4k/40\nfilename=x\n");
  EXPECT_EQ(one.spread, Spread::once);
  EXPECT_FALSE(warns(one, "no equivalent"));
  EXPECT_FALSE(
      warns(only("fio", "[a]\nrw=randread\nbssplit=4k/60:64k/40\nnorandommap\n"), "no equivalent"));
}

TEST(OtherTools, ValuesThatNoRunCanDoAreRefusedAsWritten) {
  const std::pair<std::string, std::string> jobs[] = {
      {"rw=randread\nrandom_distribution=zipf:0", "random_distribution=zipf:0"},
      {"rw=randread\nrandom_distribution=zipf:99", "random_distribution=zipf:99"},
      {"rw=randread\nrandom_distribution=pareto:1", "random_distribution=pareto:1"},
      {"rw=randread\nbs=2g", "bs=2g"},
      {"rw=randread\nbssplit=4k/50:2g/50", "bssplit=4k/50:2g/50"},
  };
  for (const auto& [options, message] : jobs) {
    const auto got = parse("fio", "[a]\n" + options + "\n");
    ASSERT_FALSE(got) << options;
    EXPECT_EQ(got.error().code, Errc::malformed) << options;
    EXPECT_NE(got.error().message.find(message), std::string::npos) << got.error().message;
    EXPECT_NE(got.error().where.find("line "), std::string::npos) << options;
  }
  const auto hipri = parse("fio", "[a]\nrw=write\nhipri\nfsync=4\n");
  ASSERT_FALSE(hipri);
  EXPECT_EQ(hipri.error().code, Errc::malformed);
  EXPECT_EQ(hipri.error().where, "line 1, [a]");
  const auto large = parse("diskspd", "diskspd -b1T -d5 x.dat");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, Errc::malformed);
  EXPECT_NE(large.error().message.find("-b1T"), std::string::npos);
  const auto threads = parse("sqlio", "sqlio -kR -kW -frandom x.dat");
  ASSERT_FALSE(threads);
  EXPECT_NE(threads.error().message.find("-kW"), std::string::npos);
  EXPECT_TRUE(parse("sqlio", "sqlio -kR -kr -frandom x.dat"));
}

}  // namespace
}  // namespace raidscope
