import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "../../../test/support/until.ts";
import { labelled, NOON, pulled, WEB, updateStory } from "../../../test/support/update-story.ts";
import { flaw } from "../../../test/support/updates.ts";

const PRO = ["cve_enrichment", "risk_scoring", "changelog"];

updateStory((story) => {
  const { restart, ask, list, record, status, summary, scan } = story;

  it("finds a newer tag once, and publishes it once", async () => {
    const old = story.memory.push(`${WEB}:1.25.3`, { content: "old" });
    await story.watched.show(pulled("web", "web:1.25.3", old));
    const before = await record("web");
    assert.deepEqual([before.status, before.checked_at], ["unknown", null]);
    assert.match(before.status_reason ?? "", /Not checked yet/);
    assert.equal(story.watched.updates.severitiesOf(story.watched.idOf("web")), undefined);
    await scan();
    assert.equal(await status("web"), "up_to_date");
    assert.deepEqual(story.watched.updates.severitiesOf(story.watched.idOf("web")), []);

    const newer = story.memory.push(`${WEB}:1.27.1`, {
      content: "new",
      createdAt: "2026-02-01T00:00:00Z",
      labels: { "org.opencontainers.image.source": "https://git.example/web" },
    });
    await story.clock.advance(1000);
    await scan();
    await scan();
    const found = await record("web");
    assert.deepEqual(
      [found.status, found.update_type, found.current_tag, found.available_tag, found.available_digest, found.registry],
      ["available", "minor", "1.25.3", "1.27.1", newer.digest, "docker.io"],
    );
    assert.deepEqual([found.published_at, found.source_url], ["2026-02-01T00:00:00.000Z", "https://git.example/web"]);
    assert.equal(found.detected_at, new Date(NOON.getTime() + 1000).toISOString());
    const detected = story.watched.published("update.detected");
    assert.equal(detected.length, 1);
    assert.equal(detected[0]?.message, "web can be updated from 1.25.3 to 1.27.1 (minor).");
    assert.equal(detected[0]?.alerting, true);
    assert.deepEqual(story.watched.updates.severitiesOf(story.watched.idOf("web")), ["medium"]);
    assert.deepEqual(story.watched.updates.newerImageOf(story.watched.idOf("web")), { image: "web:1.27.1", leaves: [] });

    await restart();
    assert.equal(await status("web"), "available");
    assert.deepEqual(
      story.watched.updates.announce().map(({ type }) => type),
      ["update.changed"],
    );
    await scan();
    assert.equal(story.watched.published("update.detected").length, 0);
    story.memory.push(`${WEB}:1.28.0`, { content: "newest" });
    await story.clock.advance(1000);
    await scan();
    assert.deepEqual(
      story.watched.published("update.detected").map(({ available_tag }) => available_tag),
      ["1.28.0"],
    );
  });

  it("asks once however many containers there are, and at most twice when nothing changed", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    story.memory.push(`${WEB}:1.1.0`, { content: "new" });
    const cache = story.memory.push("docker.io/library/cache:latest", { content: "cache" });
    await story.watched.show(
      pulled("a", "web:1.0.0", old),
      pulled("b", "docker.io/library/web:1.0.0", old, { state: "exited", exitCode: 1, finishedAt: NOON }),
      pulled("c", "cache", cache),
    );
    await scan();
    assert.deepEqual(
      (await list()).map(({ container_name, status: is }) => `${container_name} ${is}`),
      ["a available", "b available", "c up_to_date"],
    );
    story.memory.requests.length = 0;
    await scan();
    assert.deepEqual(story.memory.requests.toSorted(), ["digest docker.io/library/cache:latest", `digest ${WEB}:1.1.0`, `tags ${WEB}`]);
    const [{ total, scanned, updates_found: found } = assert.fail()] = story.watched.published("update.scan_completed").slice(-1);
    assert.deepEqual([total, scanned, found], [2, 2, 1]);
  });

  it("does not take the digest of a list for another content than that of its platform", async () => {
    const both: [{ content: string; platform: string }, { content: string; platform: string }] = [
      { content: "same", platform: "linux/amd64" },
      { content: "arm", platform: "linux/arm64" },
    ];
    const first = story.memory.push(`${WEB}:stable`, ...both);
    await story.watched.show(
      pulled("by-list", "web:stable", first),
      pulled("by-platform", "web:stable", first, { imageDigest: first.platforms[0]?.digest ?? null }),
      pulled("by-id", "web:stable", first, { imageDigest: `sha256:${"0".repeat(64)}` }),
    );
    await scan();
    assert.deepEqual(
      (await list()).map(({ status: is }) => is),
      ["up_to_date", "up_to_date", "up_to_date"],
    );
    // Only the other platform's image is another: nothing is new for this one.
    story.memory.push(`${WEB}:stable`, both[0], { content: "other arm", platform: "linux/arm64" });
    await story.clock.advance(1000);
    await scan();
    assert.deepEqual(
      (await list()).map(({ status: is }) => is),
      ["up_to_date", "up_to_date", "up_to_date"],
    );
    story.memory.requests.length = 0;
    await scan();
    assert.deepEqual(story.memory.requests, [`digest ${WEB}:stable`]);

    const next = story.memory.push(`${WEB}:stable`, { content: "changed", platform: "linux/amd64" }, both[1]);
    await story.clock.advance(1000);
    await scan();
    assert.deepEqual(
      (await list()).map(({ update_type: type }) => type),
      ["digest", "digest", "digest"],
    );
    assert.equal(story.watched.published("update.detected").length, 3);
    story.memory.requests.length = 0;
    await scan();
    assert.deepEqual(story.memory.requests, [`digest ${WEB}:stable`]);
    assert.equal(story.watched.published("update.detected").length, 3);
    // Taken: known at once, without a request.
    await story.clock.advance(1000);
    await story.watched.show(pulled("by-list", "web:stable", next));
    assert.equal(await status("by-list"), "up_to_date");
    assert.equal(story.memory.requests.length, 1);
  });

  it("sees a tag that leads to another content, and what is taken", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    await story.watched.show(pulled("web", "web:1.0.0", old));
    await scan();
    story.memory.push(`${WEB}:1.0.0`, { content: "pushed again" });
    story.memory.remove(old.digest);
    await story.clock.advance(1000);
    await scan();
    const found = await record("web");
    assert.deepEqual([found.update_type, found.available_tag, found.current_digest], ["digest", "1.0.0", old.digest]);
    assert.match(story.watched.published("update.detected")[0]?.message ?? "", /its tag 1\.0\.0 has a newer digest/);

    const newer = story.memory.push(`${WEB}:1.1.0`, { content: "newer" });
    await story.clock.advance(1000);
    await scan();
    assert.deepEqual([(await record("web")).update_type, story.watched.published("update.detected").length], ["minor", 2]);
    story.memory.requests.length = 0;
    await story.clock.advance(1000);
    // Re-created from the newer image, under the same name: the old one is gone.
    await story.watched.show(pulled("web-2", "web:1.1.0", newer, { name: "web" }));
    assert.deepEqual([await status("web-2"), story.memory.requests.length], ["up_to_date", 0]);
    assert.deepEqual(
      story.watched
        .published("update.changed")
        .slice(-1)
        .map(({ id, alerting, status: is }) => [id, alerting, is]),
      [[found.container_id, false, "up_to_date"]],
    );
    await restart();
    assert.equal(await status("web-2"), "up_to_date");
  });

  it("lists what a scan would ask, and why not, without asking", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    await story.watched.show(
      pulled("web", "web:1.0.0", old),
      pulled("fixed", "web:1.0.0", old, labelled({ digestOnly: true })),
      pulled("off", "web:1.0.0", old, labelled({ enabled: false })),
      pulled("by-digest", `web@${old.digest}`, old),
      pulled("elsewhere", "web:1.0.0", old, labelled({ registry: "mirror.lan:5000" })),
    );
    const { images } = (await ask("GET", "/dry-run")) as {
      images: { containers: { name: string }[]; mode: string | null; registry: string | null; skipped_reason: string | null }[];
    };
    const shown = images.map(({ containers, mode, registry, skipped_reason: why }) => [containers[0]?.name, mode, registry, why === null]);
    assert.deepEqual(
      shown.toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
      [
        ["by-digest", null, "docker.io", false],
        ["elsewhere", "semver", "mirror.lan:5000", true],
        ["fixed", "digest", "docker.io", true],
        ["off", null, "docker.io", false],
        ["web", "semver", "docker.io", true],
      ],
    );
    assert.deepEqual(story.memory.requests, []);
  });

  it("looks for what an update mends where the edition allows it, and keeps it", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old", createdAt: "2025-01-01T00:00:00Z" });
    const newer = story.memory.push(`${WEB}:1.0.1`, {
      content: "new",
      labels: { "org.opencontainers.image.source": "https://git.example/web" },
    });
    story.memory.packages.set(old.platforms[0]?.configDigest ?? "", [
      flaw("CVE-1", "critical"),
      flaw("CVE-2", "high"),
      flaw("CVE-3", null),
    ]);
    story.memory.packages.set(newer.platforms[0]?.configDigest ?? "", [flaw("CVE-2", "high"), flaw("CVE-4", "low")]);
    const critical = labelled({ alertOn: "critical" });
    await story.watched.show(pulled("web", "web:1.0.0", old, critical));
    await scan();
    const plain = await record("web");
    assert.deepEqual(
      [plain.status, plain.cves, plain.risk_score, plain.changelog, plain.changelog_url],
      ["available", null, null, null, null],
    );
    assert.deepEqual(story.watched.updates.announce(), []);

    story.granted.push(...PRO);
    await scan();
    await until(async () => (await record("web")).cves !== null);
    const full = await record("web");
    assert.deepEqual([full.cves?.known, full.cves?.fixed_by_update, full.cves?.new_in_update], [true, 2, 1]);
    assert.deepEqual(
      full.cves?.vulnerabilities.map(({ id, fixed_by_update: fixed }) => [id, fixed]),
      [
        ["CVE-1", true],
        ["CVE-2", false],
        ["CVE-3", true],
      ],
    );
    assert.deepEqual([full.changelog?.entries.length, full.changelog_url], [1, "https://git.example/web/releases"]);
    assert.equal(
      full.risk_parts?.reduce((sum, { points }) => sum + points, 0),
      full.risk_score,
    );
    assert.equal(story.watched.published("update.changed").at(-1)?.alerting, true);
    assert.deepEqual(story.watched.updates.severitiesOf(story.watched.idOf("web")), ["critical"]);
    assert.deepEqual([(await summary()).cve_counts?.critical, (await summary()).fixing_critical], [1, 1]);
    assert.equal((await list())[0]?.changelog, null);

    const asked = story.memory.requests.length;
    await scan();
    assert.deepEqual(
      story.memory.requests.slice(asked).filter((request) => /^(image|config)/.test(request)),
      [],
    );
    await restart();
    assert.equal((await record("web")).cves?.vulnerabilities.length, 3);
    assert.equal(story.watched.updates.announce().length, 1);
    story.granted.length = 0;
    const below = await record("web");
    assert.deepEqual([below.cves, below.risk_score, below.changelog, (await summary()).cve_counts], [null, null, null, null]);
  });

  it("counts the restarts of the last day in the risk", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    story.granted.push("risk_scoring");
    const ended = { state: "exited", exitCode: 1, finishedAt: NOON } as const;
    await story.watched.show(pulled("web", "web:1.0.0", old), pulled("calm", "web:1.0.0", old));
    await story.watched.show(pulled("web", "web:1.0.0", old, ended), pulled("calm", "web:1.0.0", old));
    await story.clock.advance(1000);
    const again = { startedAt: new Date(NOON.getTime() + 1000) };
    await story.watched.show(pulled("web", "web:1.0.0", old, again), pulled("calm", "web:1.0.0", old));
    await scan();
    const pointsOf = (await list()).map(({ container_name: name, risk_parts: parts }) => [
      name,
      parts?.find((part) => part.name === "restarts")?.points,
    ]);
    assert.deepEqual(pointsOf.toSorted(), [
      ["calm", 0],
      ["web", 2],
    ]);
  });
});
