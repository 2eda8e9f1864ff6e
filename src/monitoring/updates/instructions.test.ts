import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DEFAULT_UPDATE_SETTINGS } from "../../observations.ts";
import type { Workload } from "./commands/index.ts";
import { instructionsFor } from "./instructions.ts";
import type { Entry } from "./projection.ts";

const digestOf = (letter: string): string => `sha256:${letter.repeat(64)}`;
const [NOW, BEFORE, NEWER, ID] = ["a", "b", "c", "d"].map(digestOf) as [string, string, string, string];
const NEW = { tag: "1.28", digest: NEWER, described: true, publishedAt: null, sourceUrl: null, seenAt: 1 };

function entry(image: string, isAvailable: boolean): Entry {
  const container = { name: "web", image, imageId: ID, imageDigest: NOW, runtime: "docker", labels: {}, agentId: null };
  const reference = { registry: "docker.io", repository: "library/nginx", tag: "1.27", digest: null };
  const standing = isAvailable
    ? { status: "available", reason: null, type: "minor", available: NEW, checkError: null }
    : { status: "up_to_date", reason: null, type: null, available: null, checkError: null };
  const known = { reference, remote: null, contents: {}, choices: {}, scanId: null, checkedAt: 1, error: null, note: null };
  return { container: { ...container, settings: { updates: DEFAULT_UPDATE_SETTINGS } }, known, standing } as unknown as Entry;
}

/** What the command back would run; null when there is none. */
function wayBack(of: Entry, before?: { image: string; digest: string | null }, workload: Workload | null = null): string | null {
  const { rollback } = instructionsFor(of, { before, workload });
  return rollback === null ? null : (rollback.text.split("\n")[0] ?? "");
}

describe("the way back", () => {
  const before = { image: "nginx:1.26", digest: BEFORE };

  it("leads to what runs while something newer is available", () => {
    assert.match(wayBack(entry("nginx:1.27", true), before) ?? "", new RegExp(`nginx@${NOW}`));
  });

  it("leads to what ran before once nothing is", () => {
    assert.match(wayBack(entry("nginx:1.27", false), before) ?? "", new RegExp(`nginx@${BEFORE}`));
  });

  it("is none where no registry knew what ran before, or nothing did: never to what runs", () => {
    assert.equal(wayBack(entry("nginx:1.27", false), { ...before, digest: null }), null);
    assert.equal(wayBack(entry("nginx:1.27", false)), null);
  });

  it("of a Deployment is its revision before, unless the image kept its name", () => {
    const workload = { kind: "Deployment", name: "web", namespace: "shop", containers: ["app"] };
    const undo = "kubectl rollout undo deployment/web -n shop";
    assert.equal(wayBack(entry("nginx:1.27", true), before, workload), undo);
    assert.equal(wayBack(entry("nginx:1.27", false), before, workload), undo);
    const sameName = { image: "nginx:1.27", digest: BEFORE };
    assert.equal(wayBack(entry("nginx:1.27", false), sameName, workload), `kubectl set image deployment/web app=nginx@${BEFORE} -n shop`);
  });

  it("is none by an image's id, which nothing can be pulled by", () => {
    for (const id of [ID, ID.slice("sha256:".length), "d".repeat(12)]) assert.equal(wayBack(entry(id, true)), null);
    assert.equal(wayBack(entry("nginx:1.27", false), { ...before, image: ID }), null);
  });
});
