/** What the page about Kubernetes and the README of the chart say, held against what is so. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { z } from "zod";
import { KUBERNETES_ALERTS } from "../src/events.ts";
import { ALERT_RULES } from "../src/monitoring/kubernetes/problem.ts";
import { CHART, objectsOf, renderChart } from "../test/support/helm.ts";
import { parseYaml } from "../test/support/yaml.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../docs/kubernetes.md"), "utf8");

/** The cells of the rows of a section's table whose first row begins so. */
function tableOf(section: string, first: string): string[][] {
  const text = PAGE.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? "";
  const lines = text.split("\n");
  const begin = lines.findIndex((line) => line.startsWith(`| ${first} |`));
  assert.notEqual(begin, -1, `${section} has a table of ${first}`);
  const rest = lines.slice(begin + 2);
  const length = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(0, length === -1 ? undefined : length).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, word]) => word ?? []);

const rules = z.array(z.object({ apiGroups: z.array(z.string()), resources: z.array(z.string()), verbs: z.array(z.string()) }));

describe("the page about Kubernetes", () => {
  it("names the rights that the chart gives, and no others", async () => {
    const objects = await objectsOf(
      renderChart({ rbac: { nodeStats: true, tlsSecrets: true }, agent: { enabled: true, server: "grpcs://monitor.example.org" } }),
    );
    const given = objects
      .filter(({ kind }) => kind === "ClusterRole" || kind === "Role")
      .flatMap((role) => rules.parse(role["rules"]))
      .flatMap(({ apiGroups, resources, verbs }) =>
        apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => `${group || "core"} ${resource} ${verb}`))),
      );
    const listed = tableOf("Rights", "group").flatMap(([group = "", resources = "", verbs = ""]) =>
      quoted(resources).flatMap((resource) => verbs.split(", ").map((verb) => `${group.replaceAll("`", "")} ${resource} ${verb}`)),
    );
    assert.ok(given.length > 50);
    assert.deepEqual(listed.toSorted(), [...new Set(given)].toSorted());
  });

  it("names every alert, and for how long it must last", () => {
    const waits = new Map(tableOf("Alerts", "alert").map(([name = "", , wait = ""]) => [quoted(name)[0], wait]));
    assert.deepEqual([...waits.keys()].toSorted(), [...KUBERNETES_ALERTS].toSorted());
    for (const alert of KUBERNETES_ALERTS) assert.equal(waits.get(alert), wordsOf(ALERT_RULES[alert].waitsMs), alert);
  });
});

describe("the README of the chart", () => {
  it("names values that there are", async () => {
    const [values] = await parseYaml(readFileSync(join(CHART, "values.yaml"), "utf8"));
    const paths = new Set(pathsOf(values));
    const top = new Set([...paths].map((path) => path.split(".")[0]));
    const named = quoted(readFileSync(join(CHART, "README.md"), "utf8").replaceAll(/^```[^]*?^```$/gm, "")).flatMap((word) => {
      const [path = ""] = word.split("=");
      return /^[A-Za-z.]+$/.test(path) && path.includes(".") && top.has(path.split(".")[0]) ? path : [];
    });
    assert.ok(named.length > 30);
    assert.deepEqual(
      named.filter((path) => !paths.has(path) && path !== "values.yaml"),
      [],
    );
  });
});

/** `server.adminToken.key` of each value, and of what it is in. */
function pathsOf(values: unknown, above = ""): string[] {
  if (typeof values !== "object" || values === null || Array.isArray(values)) return [];
  return Object.entries(values).flatMap(([name, value]) => [above + name, ...pathsOf(value, `${above}${name}.`)]);
}

function wordsOf(waitMs: number): string {
  if (waitMs === 0) return "";
  if (waitMs < 60_000) return `${waitMs / 1000} seconds`;
  return waitMs === 60_000 ? "1 minute" : `${waitMs / 60_000} minutes`;
}
