import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import type { ContainerDetail, ContainerList } from "../../../src/monitoring/containers/answers.ts";
import { containerRecord } from "../entities/containers/record.fixture.ts";
import type { Patch } from "./apply-event.ts";
import { createContainerPatches } from "./container-patches.ts";
import { containerQuery, containersQuery } from "./queries.ts";

const ended: Patch = (container) => ({ ...container, state: "exited" });
const renamed: Patch = (container) => ({ ...container, name: `${container.name}-${container.state}` });

/** Two containers that are known, one of them whole, and how often a page that shows the list is drawn. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } });
  const records = [1, 2].map((id) => containerRecord({ id, name: `c${id}`, state: "running" }));
  const list = { groups: [{ name: "shop", source: "compose", containers: records }] } as unknown as ContainerList;
  queryClient.setQueryData(containersQuery().queryKey, list);
  queryClient.setQueryData(containerQuery(2).queryKey, records[1] as unknown as ContainerDetail);
  let drawn = 0;
  const unsubscribe = new QueryObserver(queryClient, { ...containersQuery(), enabled: false }).subscribe(() => (drawn += 1));
  t.after(unsubscribe);
  t.after(() => queryClient.clear());
  const shown = (): string[] | undefined =>
    queryClient
      .getQueryData(containersQuery().queryKey)
      ?.groups.flatMap(({ containers }) => containers.map(({ name, state }) => `${name} ${state}`));
  /** Lets time pass, and the query client its zero timeout to notify. */
  const pass = (ms: number): void => {
    t.mock.timers.tick(ms);
    t.mock.timers.tick(0);
  };
  return { queryClient, patches: createContainerPatches(queryClient), shown, drawn: () => drawn, pass };
}

test("what comes together is applied in its order, and drawn once", (t) => {
  const { queryClient, patches, shown, drawn, pass } = setUp(t);
  patches.add(1, ended);
  patches.add(2, ended);
  patches.add(2, renamed);
  assert.deepEqual(shown(), ["c1 running", "c2 running"]);
  pass(16);
  assert.deepEqual(shown(), ["c1 exited", "c2-exited exited"]);
  assert.equal(queryClient.getQueryData(containerQuery(2).queryKey)?.name, "c2-exited");
  assert.equal(queryClient.getQueryData(containerQuery(1).queryKey), undefined, "what was never read is not made up");
  assert.equal(drawn(), 1);
  pass(1000);
  assert.equal(drawn(), 1);
});

test("while events never rest, what they contain is shown within 100 ms", (t) => {
  const { patches, shown, pass } = setUp(t);
  t.mock.method(performance, "now", () => elapsedMs);
  let elapsedMs = 0;
  patches.add(1, ended);
  for (; elapsedMs < 100; elapsedMs += 10) {
    assert.deepEqual(shown(), ["c1 running", "c2 running"]);
    patches.add(2, (container) => container);
    pass(10);
  }
  assert.deepEqual(shown(), ["c1 exited", "c2 running"]);
});

test("nothing is applied once it is cancelled", (t) => {
  const { patches, shown, pass } = setUp(t);
  patches.add(1, ended);
  patches.cancel();
  pass(1000);
  assert.deepEqual(shown(), ["c1 running", "c2 running"]);
});
