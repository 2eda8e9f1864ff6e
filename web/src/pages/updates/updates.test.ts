import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ComparisonRecord, UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { fc } from "../../../../test/support/seed.ts";
import { actsForAll, actsOf } from "../../entities/updates/act.ts";
import { readPattern } from "../../entities/updates/exclusion-draft.ts";
import { figureRows } from "../../entities/updates/figures.ts";
import { askedOf, isNarrowed, pagesOf, updateFilter } from "./filter.ts";
import { imageItems, statusItems, type UpdateItem } from "./items.ts";
import { mergedImages } from "./merged-images.ts";
import { passagesOf } from "../../entities/updates/passages.ts";
import { updateRecord, updateSummary } from "../../entities/updates/record.fixture.ts";
import {
  containerLine,
  cveWords,
  fixWords,
  listedWords,
  availableWords,
  overviewWords,
  riskWords,
  scanWords,
  stepOf,
  stepWords,
  studyWords,
  summaryWords,
  totalsOf,
  upToDateWords,
  webAddress,
} from "../../entities/updates/words.ts";

const comparison: ComparisonRecord = {
  id: 1,
  container_id: 1,
  container_name: "web",
  agent_id: null,
  previous_image: "nginx:1.25.2",
  previous_digest: null,
  image: "nginx:1.25.3",
  digest: null,
  changed_at: "2026-11-20T04:00:00.000Z",
  compared_at: null,
  window_seconds: 86_400,
  verdict: "worse",
  before: { restarts_per_day: 0, failed_checks_percent: null, response_time_ms: 84, cpu_cores_used: 0.214, memory_bytes: 312e6 },
  after: { restarts_per_day: 12.4, failed_checks_percent: null, response_time_ms: null, cpu_cores_used: 1.26, memory_bytes: 655e6 },
  changes: [
    { figure: "memory", worse: true, text: "memory rose" },
    { figure: "cpu", worse: false, text: "less work" },
  ],
};

it("reads of an address what it knows", () => {
  const narrowed = { q: "nginx", status: "pinned", type: "major", view: "dry-run" } as const;
  const address = { ...narrowed, show: "12", sort: "risk", order: undefined, group: "image" } as const;
  assert.deepEqual(updateFilter(address), { ...address, show: 12 });
  const asked = { search: "nginx", status: "pinned", update_type: "major", agent_id: "local" };
  assert.deepEqual(askedOf(updateFilter(address), "local"), { ...asked, sort: "risk", order: "desc" });
  assert.deepEqual(askedOf(updateFilter({ ...address, order: "asc" }), "local"), { ...asked, sort: "risk", order: "asc" });
  assert.deepEqual(askedOf(updateFilter({ order: "asc" }), undefined).order, undefined);
  assert.deepEqual([pagesOf(updateFilter(address)), pagesOf({})], ["all", "some"]);
  const nothing = updateFilter({ q: "", status: "newer", type: "huge", show: "-1", view: "x", sort: "y", order: "up", group: "host" });
  assert.deepEqual(new Set(Object.values(nothing)), new Set([undefined]));
  assert.equal(isNarrowed(nothing), false);
  assert.equal(isNarrowed({ show: 3, view: "errors" }), false);
  assert.equal(isNarrowed({ type: "digest" }), true);
  assert.equal(updateFilter({ show: "1.5" }).show, undefined);
  assert.equal(updateFilter({ q: "x".repeat(500) }).q?.length, 200);
});

describe("words", () => {
  const at = "2026-11-21T04:05:00.000Z";

  it("describes what can be updated", () => {
    const some = updateSummary({ counts: { major: 1, patch: 2, digest: 3, pinned: 4, excluded: 5, up_to_date: 20, unknown: 6 } });
    assert.deepEqual(totalsOf(some.counts), { available: 6, total: 41 });
    assert.deepEqual(
      [
        some,
        updateSummary(),
        updateSummary({ counts: { up_to_date: 1 } }),
        updateSummary({ counts: { up_to_date: 1, unknown: 4 } }),
        updateSummary({ counts: { unknown: 3 }, last_scan_at: null }),
        updateSummary({ counts: { unknown: 3 }, last_scan_at: at }),
      ].map(summaryWords),
      [
        "6 of 41 containers can be updated; 6 unknown",
        "",
        "1 container up to date",
        "1 container up to date; 4 unknown",
        "3 containers not checked yet",
        "3 containers could not be checked",
      ],
    );
  });

  it("says on a host's page how many are available, and that nobody looked", () => {
    assert.deepEqual(
      [
        updateSummary({ counts: { minor: 4, unknown: 1 } }),
        updateSummary({ counts: { up_to_date: 2 } }),
        updateSummary({ counts: { up_to_date: 2, unknown: 1 }, last_scan_at: at }),
        updateSummary({ counts: { unknown: 40 }, last_scan_at: null }),
      ].map(availableWords),
      ["4 available", "0 available", "0 available, 1 could not be checked", "not checked yet"],
    );
  });

  it("says on the Overview what there is to do, and what is not known", () => {
    const four = { counts: { minor: 4 } };
    assert.deepEqual(
      [
        updateSummary({ counts: { up_to_date: 9 }, fixing_critical: 0 }),
        updateSummary({ counts: { unknown: 40 }, last_scan_at: null }),
        updateSummary({ counts: { unknown: 2, up_to_date: 1 }, last_scan_at: at }),
        updateSummary(four),
        updateSummary({ ...four, fixing_critical: 1 }),
        updateSummary({ ...four, fixing_critical: 2 }),
      ].map(overviewWords),
      [
        "No updates available",
        "Updates not checked yet",
        "No updates known, 2 containers could not be checked",
        "4 updates available",
        "4 updates available, 1 fixes critical vulnerabilities",
        "4 updates available, 2 fix critical vulnerabilities",
      ],
    );
  });

  it("shows how far a scan is", () => {
    assert.equal(scanWords({ total: 0, scanned: 0, updates_found: 0 }), "Preparing the scan");
    assert.equal(scanWords({ total: 1200, scanned: 12, updates_found: 3 }), "12 of 1,200 images checked, 3 newer found");
    assert.equal(studyWords({ total: 1, done: 0 }), "Loading release notes and vulnerabilities: 0 of 1 image");
  });

  it("names a step by tags, and by contents where the tag stays", () => {
    assert.deepEqual(stepOf(updateRecord()), { from: "1.25.3", to: "1.27.0" });
    assert.deepEqual(stepOf(updateRecord({ update_type: "digest", current_tag: "latest", available_tag: "latest" })), {
      from: "latest aaaaaaaa",
      to: "bbbbbbbb",
    });
    assert.deepEqual(stepOf(updateRecord({ update_type: "digest", current_tag: null, available_digest: null, available_tag: null })), {
      from: "aaaaaaaa",
      to: "not known",
    });
    assert.deepEqual(stepOf(updateRecord({ update_type: null })), { from: "1.25.3", to: null });
    assert.deepEqual(stepOf(updateRecord({ update_type: null, current_tag: null, current_digest: null })), { from: "not known", to: null });
    assert.equal(stepWords(updateRecord()), "1.25.3 to 1.27.0, minor");
    assert.equal(stepWords(updateRecord({ update_type: null })), "current 1.25.3");
  });

  it("says that a risk may be higher while something is not known", () => {
    const risk = { risk_score: 12, risk_level: "low", risk_level_at_most: "low" } as const;
    assert.equal(riskWords(updateRecord()), undefined);
    assert.deepEqual(riskWords(updateRecord(risk)), { level: 1, word: "Low", isOpen: false, score: "12 of 100" });
    assert.deepEqual(riskWords(updateRecord({ ...risk, risk_level_at_most: "high" })), {
      ...{ level: 1, word: "Low", isOpen: true },
      score: "12 of 100, up to high since not everything is known",
    });
  });

  it("shows the worst vulnerabilities, and what is not known", () => {
    const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
    assert.deepEqual(
      [
        { known: true, counts: none },
        { known: false, counts: none },
        { known: true, counts: { ...none, critical: 2, low: 34 } },
        { known: false, counts: { ...none, high: 3 } },
        { known: true, counts: { ...none, unknown: 1 } },
      ].map((cves) => cveWords(cves).text),
      ["None known", "Unknown", "2 critical, 36 in all", "At least 3 high", "1 not rated"],
    );
  });

  it("shows how many vulnerabilities the update fixes, where that is known", () => {
    const cves = { known: true, counts: { critical: 2, high: 0, medium: 0, low: 34, none: 0, unknown: 0 }, fixed_by_update: 12 };
    assert.deepEqual(fixWords(cves), { level: 4, text: "12 of 36" });
    assert.equal(fixWords({ ...cves, fixed_by_update: null }).text, "2 critical, 36 in all");
    assert.equal(fixWords({ ...cves, counts: { ...cves.counts, critical: 0, low: 0 }, fixed_by_update: 0 }).text, "None known");
  });

  it("says that only the worst vulnerabilities are listed, where it is so", () => {
    const counts = { critical: 2, high: 700, medium: 0, low: 0, none: 0, unknown: 0 };
    assert.deepEqual([listedWords({ counts }, 500), listedWords({ counts }, 702)], ["Showing the worst 500.", ""]);
  });

  it("says of one that is up to date what keeps that from being sure", () => {
    assert.equal(upToDateWords(null), "Runs the newest version allowed by its labels.");
    const cut = "Only 60000 of its registry's tags were read, which are too many: a newer one may be among the others.";
    assert.equal(upToDateWords(cut), `Runs the newest known version. ${cut}`);
  });

  it("says on a container's own page what there is to do", () => {
    assert.equal(containerLine(updateRecord({ status: "up_to_date", update_type: null })), undefined);
    assert.equal(containerLine(updateRecord({ status: "pinned" })), undefined);
    assert.deepEqual(containerLine(updateRecord()), { text: "Update available: 1.25.3 to 1.27.0, minor.", isWorse: false });
    assert.deepEqual(containerLine(updateRecord({ comparison, status: "pinned" })), {
      text: "Worse since its image changed. Memory rose.",
      isWorse: true,
    });
    assert.equal(containerLine(updateRecord({ status: "pinned", comparison: { ...comparison, verdict: "better" } })), undefined);
  });

  it("follows only addresses of the web", () => {
    for (const url of ["https://nginx.org/x", "HTTP://nginx.org"]) assert.equal(webAddress(url), url);
    for (const url of [null, "", "javascript:alert(1)", " https://x", "data:text/html,x", "//nginx.org", "java\nscript:https://"])
      assert.equal(webAddress(url), undefined);
  });
});

it("excludes images by what can be a name only", () => {
  assert.deepEqual(readPattern({ image: " nginx:* " }), { body: "nginx:*" });
  for (const image of [" ", "<b>", "caf\u00e9"]) assert.ok("faults" in readPattern({ image }), image);
});

describe("the lines of the list", () => {
  const lines = (items: readonly UpdateItem[]): string[] =>
    items.map((item) => {
      if (item.kind === "row") return `${item.update.id}`;
      return "status" in item ? `${item.status} ${item.count ?? "?"}` : `[${item.updates.map(({ id }) => id).join(" ")}]`;
    });
  const of = (id: number, change: Partial<UpdateRecord> = {}) => updateRecord({ id, container_id: id, ...change });

  it("are by status, those that can be updated first, with the count of each that is known", () => {
    const rows = (["up_to_date", "available", "unknown", "available"] as const).map((status, id) => of(id, { status }));
    assert.deepEqual(lines(statusItems(rows, false)), ["available 2", "1", "3", "unknown 1", "2", "up_to_date 1", "0"]);
    assert.deepEqual(lines(statusItems(rows, true)).at(-2), "up_to_date ?");
  });

  it("are one for each image and update, in the order of the first of each, and of several with the containers below", () => {
    const rows = [
      of(1),
      of(2, { image: "cache:7" }),
      of(3),
      of(4, { available_tag: "1.28.0" }),
      of(5, { status: "pinned" }),
      of(6, { container_name: "other" }),
    ];
    assert.deepEqual(lines(imageItems(rows)), ["[1 3 6]", "1", "3", "6", "[2]", "[4]", "[5]"]);
    const keys = imageItems(rows).map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
  });

  it("can be acted on together, each for those that it fits", () => {
    const rows = [of(1), of(2, { pinned_by: "person", status: "pinned" }), of(3), of(4, { pinned_by: "label", status: "pinned" })];
    assert.deepEqual(
      actsForAll(rows).map(({ label, updates }) => [label, updates.map(({ id }) => id)]),
      [
        ["Pin 2 containers to current version", [1, 3]],
        ["Unpin 1 container", [2]],
        ["Exclude image", [1, 2, 3, 4]],
      ],
    );
    assert.deepEqual(actsForAll([of(1, { status: "excluded" })]), []);
  });
});

it("marks the sentences that say that something breaks", () => {
  assert.deepEqual(passagesOf("One. Two. Three.", ["Two."]), {
    passages: [
      { text: "One. ", breaking: false },
      { text: "Two.", breaking: true },
      { text: " Three.", breaking: false },
    ],
    missing: [],
  });
  assert.deepEqual(passagesOf("abcd", ["cd", "bc", "x", ""]).missing, ["x"]);
  assert.deepEqual(passagesOf("", []), { passages: [], missing: [] });
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string(), { maxLength: 4 }), (text, sentences) => {
      const { passages } = passagesOf(text, sentences);
      assert.equal(passages.map((passage) => passage.text).join(""), text);
    }),
  );
});

it("sets the figures before and after beside each other, and leaves out what nobody knows", () => {
  assert.deepEqual(
    figureRows(comparison).map(({ name, before, after, change }) => [name, before, after, change?.worse]),
    [
      ["Restarts a day", "0", "12", undefined],
      ["Response time", "84 ms", "–", undefined],
      ["CPU cores", "0.21", "1.3", false],
      ["Memory", "298 MiB", "625 MiB", true],
    ],
  );
  assert.deepEqual(figureRows({ before: null, after: null, changes: [] }), []);
});

describe("what can be done about one container", () => {
  for (const { status, pinned_by, acts } of [
    { status: "available", pinned_by: null, acts: ["pin", "exclude"] },
    { status: "pinned", pinned_by: "person", acts: ["unpin", "exclude"] },
    { status: "pinned", pinned_by: "label", acts: ["exclude"] },
    { status: "excluded", pinned_by: null, acts: [] },
    { status: "excluded", pinned_by: "person", acts: ["unpin"] },
  ] as const) {
    it(`${status}, pinned by ${pinned_by ?? "nobody"}: ${acts.join(", ") || "nothing"}`, () =>
      assert.deepEqual(actsOf({ status, pinned_by }), acts));
  }
});

it("names an image once where its status is the same", () => {
  const of = (id: number) => [{ id, name: `web-${id}`, agent_id: null }];
  const asked = { image: "web:1", mode: "semver", candidates_filter: "Tags like 1.", registry: "docker.io", skipped_reason: null } as const;
  const skipped = { ...asked, mode: null, candidates_filter: null, skipped_reason: "Its label keeps it out." };
  assert.deepEqual(
    mergedImages([
      { ...asked, containers: of(1) },
      { ...skipped, containers: of(2) },
      { ...asked, containers: of(3) },
    ]),
    [
      { ...asked, containers: [...of(1), ...of(3)] },
      { ...skipped, containers: of(2) },
    ],
  );
});
