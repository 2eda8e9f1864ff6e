import assert from "node:assert/strict";
import { it } from "node:test";
import type { Scope } from "../vocabulary.ts";
import { createMembers, type MemberFeatures } from "./members.ts";

/** Two groups on one host; what is asked of it is counted. */
function features() {
  const containers = new Map(
    [1, 2, 3].map((id) => [id, { id, group: id === 3 ? "mail" : "shop", agentId: null, settings: { ignored: false } }]),
  );
  const counts = { listings: 0 };
  const present = {
    ids() {
      counts.listings += 1;
      return containers.keys();
    },
    get: (id: number) => containers.get(id),
  };
  const given = {
    containers: { present },
    endpoints: { find: () => undefined, present: () => [] },
    certificates: { find: () => undefined, all: () => [] },
  };
  // Only this of the features is asked.
  return { containers, counts, members: createMembers(given as unknown as MemberFeatures) };
}

const group = (id: string): Scope => ({ type: "group", id });

it("many groups and hosts asked for at once take one look at all there is, and the next look is a new one", async () => {
  const { containers, counts, members } = features();
  const scopes = [group("shop"), group("mail"), group("none"), { type: "agent", id: "local" } as const];
  assert.deepEqual(
    scopes.map((scope) => members.of(scope).map(({ id }) => id)),
    [[1, 2], [3], [], [1, 2, 3]],
  );
  assert.equal(counts.listings, 1);
  containers.delete(2);
  await Promise.resolve();
  assert.deepEqual(
    members.of(group("shop")).map(({ id }) => id),
    [1],
  );
});
