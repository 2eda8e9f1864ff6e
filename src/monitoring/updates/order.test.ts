import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "../../../test/support/until.ts";
import { pulled, updateStory } from "../../../test/support/update-story.ts";
import { flaw, type Pushed } from "../../../test/support/updates.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { UpdateList } from "./answers.ts";

updateStory((story) => {
  const { ask, record, scan } = story;
  const page = async (query: object): Promise<UpdateList> =>
    (await ask("GET", "", { query: { limit: 100, offset: 0, ...query } })) as UpdateList;
  const names = async (query: object): Promise<string> => (await page(query)).updates.map(({ container_name: name }) => name).join(" ");

  /** Three with something newer, and one without: `db-2` before `db-10`. */
  async function show(): Promise<void> {
    const push = (name: string, content: string, createdAt: string) =>
      story.memory.push(`docker.io/library/${name}`, { content, createdAt: `${createdAt}T00:00:00Z` });
    const [db, web, api] = [
      push("db:1.0.0", "db", "2025-01-01"),
      push("web:1.0.0", "web", "2025-01-01"),
      push("api:1.0.0", "api", "2025-01-01"),
    ];
    const contains = ({ platforms }: Pushed, count: number) =>
      story.memory.packages.set(
        platforms[0]?.configDigest ?? "",
        Array.from({ length: count }, (_, index) => flaw(`CVE-${index}`, "low")),
      );
    contains(db, 3);
    contains(web, 1);
    contains(push("db:1.0.1", "newer db", "2026-02-01"), 0);
    contains(push("web:2.0.0", "newer web", "2026-01-01"), 0);
    await story.watched.show(
      pulled("db-10", "db:1.0.0", db),
      pulled("db-2", "db:1.0.0", db),
      pulled("web", "web:1.0.0", web),
      pulled("api", "api:1.0.0", api),
    );
    await scan();
  }

  it("sorts by what is asked for, rows without a value last, and pages through that", async () => {
    story.granted.push("cve_enrichment", "risk_scoring");
    await show();
    await until(async () => (await record("db-2")).cves?.fixed_by_update === 3 && (await record("web")).cves?.fixed_by_update === 1);
    const usual = "web db-2 db-10 api";
    for (const [query, expected] of [
      [{}, usual],
      [{ sort: "name" }, "api db-2 db-10 web"],
      [{ sort: "name", order: "desc" }, "web db-10 db-2 api"],
      [{ sort: "image" }, "api db-2 db-10 web"],
      [{ sort: "update_type" }, usual],
      [{ sort: "update_type", order: "desc" }, "db-2 db-10 web api"],
      [{ sort: "published" }, usual],
      [{ sort: "published", order: "desc" }, "db-2 db-10 web api"],
      [{ sort: "fixed", order: "desc" }, "db-2 db-10 web api"],
      [{ sort: "fixed" }, usual],
      [{ sort: "name", status: "available" }, "db-2 db-10 web"],
    ] as const)
      assert.equal(await names(query), expected, JSON.stringify(query));
    const byRisk = (await page({ sort: "risk" })).updates.map(({ risk_score: score }) => score);
    assert.deepEqual(
      byRisk,
      byRisk.toSorted((one, other) => (one ?? 101) - (other ?? 101)),
    );
    const first = await page({ sort: "name", limit: 3 });
    const second = await page({ sort: "name", limit: 3, offset: 3 });
    assert.deepEqual([first.has_more, second.has_more, second.total], [true, false, 4]);
    assert.deepEqual([...first.updates, ...second.updates], (await page({ sort: "name" })).updates);
    await assert.rejects(page({ order: "desc" }), (error) => isServiceError(error, "unusable_values"));
  });

  it("sorts by nothing that the edition does not show", async () => {
    await show();
    assert.equal(await names({ sort: "fixed", order: "desc" }), await names({}));
    assert.equal(await names({ sort: "risk", order: "desc" }), await names({}));
  });
});
