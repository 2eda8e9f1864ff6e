import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "../../../test/support/until.ts";
import { labelled, pulled, WEB, updateStory } from "../../../test/support/update-story.ts";
import { flaw, memoryReaders, type Pushed } from "../../../test/support/updates.ts";
import { type ImageReaders, type PackageList, RegistryError, type Vulnerability } from "../../images/index.ts";

const HOUR_MS = 3_600_000;

updateStory((story) => {
  const { restart, record, scan } = story;

  const severities = () => story.watched.updates.severitiesOf(story.watched.idOf("web"));
  const published = () => story.watched.published("update.changed").map(({ alerting }) => alerting);

  function contains({ platforms }: Pushed, ...flaws: Vulnerability[]): void {
    story.memory.packages.set(platforms[0]?.configDigest ?? "", flaws);
  }

  /** A container that raises alerts only for critical updates, with such an update. */
  async function critical(): Promise<Pushed> {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    contains(old, flaw("CVE-1", "critical"));
    contains(story.memory.push(`${WEB}:1.0.1`, { content: "new" }));
    await story.watched.show(pulled("web", "web:1.0.0", old, labelled({ alertOn: "critical" })));
    return old;
  }

  async function studied(): Promise<void> {
    await scan();
    await until(async () => (await record("web")).cves?.fixed_by_update === 1);
  }

  /** A critical update whose study takes until it is aborted. */
  async function studying(): Promise<void> {
    story.granted.push("cve_enrichment");
    await critical();
    await restart({
      imageReaders: async () => ({
        ...memoryReaders(story.memory, story.clock),
        vulnerabilities: {
          find: (_packages, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        },
      }),
    });
    await story.watched.show(
      pulled("web", "web:1.0.0", story.memory.push(`${WEB}:1.0.0`, { content: "old" }), labelled({ alertOn: "critical" })),
    );
    await scan();
  }

  it("counts in a round what was studied in that round alone", async () => {
    await studying();
    await until(async () => (await story.summary()).studying !== null);
    await scan();
    await until(async () => (await story.summary()).studying !== null);
    assert.deepEqual((await story.summary()).studying, { total: 1, done: 0 });
  });

  it("continues after a start with what an end left unfinished", async () => {
    await studying();
    await restart();
    assert.equal((await record("web")).cves, null);
    await story.clock.advance(61_000);
    await until(async () => (await record("web")).cves?.fixed_by_update === 1);
    assert.deepEqual(published().slice(-1), [true]);
  });

  it("looks soon for what the edition grants since the scan", async () => {
    await critical();
    await scan();
    story.granted.push("cve_enrichment");
    await story.clock.advance(2 * HOUR_MS);
    await until(async () => (await record("web")).cves?.fixed_by_update === 1);
  });

  it("reports nothing critical any more once the edition does not allow to look for it", async () => {
    story.granted.push("cve_enrichment");
    await critical();
    await studied();
    story.granted.length = 0;
    await story.clock.advance(2 * HOUR_MS);
    await until(() => published().at(-1) === false);
    assert.deepEqual(severities(), ["medium"]);
  });

  it("takes nothing back while a registry is away, and ends no alert", async () => {
    story.granted.push("cve_enrichment");
    await critical();
    await studied();
    const before = (await record("web")).cves;
    const events = published();
    story.memory.break("docker.io", new RegistryError("unreachable", "It is away."));
    await story.clock.advance(21 * HOUR_MS);
    await scan();
    await until(async () => (await story.summary()).studying === null);
    assert.deepEqual((await record("web")).cves, before);
    assert.deepEqual(
      [severities(), published().filter((alerting) => !alerting).length],
      [["critical"], events.filter((alerting) => !alerting).length],
    );
  });

  it("keeps an alert about what is critical while the next version in a row is studied", async () => {
    story.granted.push("cve_enrichment");
    await critical();
    await studied();
    const before = published().length;
    contains(story.memory.push(`${WEB}:1.0.2`, { content: "newer" }));
    await scan();
    await until(async () => (await record("web")).cves?.fixed_by_update === 1);
    assert.equal((await record("web")).available_tag, "1.0.2");
    assert.deepEqual([...new Set(published().slice(before))], [true]);
    assert.equal(story.watched.published("update.detected").at(-1)?.alerting, true);
    assert.deepEqual(severities(), ["critical"]);
  });

  it("asks a forge that wanted to be left alone again within the hour", async () => {
    story.granted.push("changelog");
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    const source = "https://git.example/team/web";
    story.memory.push(`${WEB}:1.0.1`, { content: "new", labels: { "org.opencontainers.image.source": source } });
    let busy = true;
    await restart({
      imageReaders: async () => {
        const readers = memoryReaders(story.memory, story.clock);
        const between: typeof readers.changelogs.between = async (image, signal) =>
          busy ? { entries: [], url: null, note: "Not now.", isPassing: true } : readers.changelogs.between(image, signal);
        return { ...readers, changelogs: { between } };
      },
    });
    await story.watched.show(pulled("web", "web:1.0.0", old));
    await scan();
    await until(async () => (await record("web")).changelog?.note === "Not now.");
    busy = false;
    await story.clock.advance(2 * HOUR_MS);
    await until(async () => (await record("web")).changelog?.entries.length === 1);
  });

  it("shows no credentials of an image's source", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    const source = "https://ci:s3cret-token@git.example/team/web.git";
    story.memory.push(`${WEB}:1.0.1`, { content: "new", labels: { "org.opencontainers.image.source": source } });
    await story.watched.show(pulled("web", "web:1.0.0", old));
    await scan();
    assert.equal((await record("web")).source_url, "https://git.example/team/web.git");
  });

  it("says that not all tags were read", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    await restart({
      imageReaders: async () => {
        const readers = memoryReaders(story.memory, story.clock);
        const tags = async () => ({ tags: ["1.0.0"], complete: false });
        return { ...readers, registries: { ...readers.registries, tags } };
      },
    });
    await story.watched.show(pulled("web", "web:1.0.0", old));
    await scan();
    const { status, status_reason: reason } = await record("web");
    assert.equal(status, "up_to_date");
    assert.match(reason ?? "", /^Only 1 of its registry's tags were read/);
  });

  it("does not take an image for well whose distribution is left out", async () => {
    story.granted.push("cve_enrichment", "risk_scoring");
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    contains(old);
    const readers = memoryReaders(story.memory, story.clock);
    const incomplete = (list: PackageList): PackageList => Object.assign(list, { complete: false, note: "Its rpm packages are left out." });
    const packagesOf = async (...[image, signal]: Parameters<ImageReaders["packages"]["packagesOf"]>) =>
      incomplete(await readers.packages.packagesOf(image, signal));
    await restart({ imageReaders: async () => ({ ...readers, packages: { packagesOf } }) });
    await story.watched.show(pulled("web", "web:1.0.0", old));
    await scan();
    await until(async () => (await record("web")).cves !== null);
    for (let time = 0; time < 2; time += 1) {
      const { cves, risk_parts: parts, risk_level: level, risk_level_at_most: atMost } = await record("web");
      assert.deepEqual([cves?.known, cves?.note, level, atMost], [true, "Its rpm packages are left out.", "low", "high"]);
      assert.equal(parts?.find(({ name }) => name === "worst_cve")?.known, false);
      await restart();
      await story.watched.show(pulled("web", "web:1.0.0", old));
    }
  });

  it("counts nothing for or against what is excluded: it is not known", async () => {
    const old = story.memory.push(`${WEB}:1.0.0`, { content: "old" });
    await story.watched.show(pulled("web", "web:1.0.0", old));
    await scan();
    assert.deepEqual(severities(), []);
    await story.ask("POST", "/exclusions", { body: { image: "web" } });
    assert.equal(severities(), undefined);
  });
});
