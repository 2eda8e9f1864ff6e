import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import { containerRecord } from "../entities/containers/record.fixture.ts";
import { joinGroups } from "./join-groups.ts";
import { countOfAll, readWholeList } from "./whole-list.ts";

interface Numbers {
  numbers: number[];
  next_cursor: string | null;
}

const ROWS = 5;
const queryKey = ["numbers"];
const join = (list: Numbers, next: Numbers): Numbers => ({ ...next, numbers: [...list.numbers, ...next.numbers] });

describe("a list of several pages", () => {
  /** Pages of two. */
  const server = createServer(({ url = "" }, response) => {
    const from = Number(new URL(url, "http://test").searchParams.get("cursor") ?? "0");
    const numbers = Array.from({ length: Math.min(2, ROWS - from) }, (_, index) => from + index);
    const next_cursor = from + 2 < ROWS ? String(from + 2) : null;
    seen.push(client.getQueryData<Numbers>(queryKey)?.numbers.length ?? 0);
    response.end(JSON.stringify({ numbers, next_cursor }));
  });
  const read = async (cursor = "0"): Promise<Numbers> => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/numbers?cursor=${cursor}`);
    return (await response.json()) as Numbers;
  };
  let seen: number[] = [];
  let client = new QueryClient();

  before(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  it("is read whole, and shows what is there already when nothing was known", async () => {
    const list = await readWholeList<Numbers>({ client, queryKey, read, join });
    assert.deepEqual(list, { numbers: [0, 1, 2, 3, 4], next_cursor: null });
    assert.deepEqual(seen, [0, 2, 4]);
  });

  it("is counted whole before it is loaded", () => {
    assert.equal(countOfAll({ next_cursor: "2", total: 5 }, 2), 5);
    // Rows that were removed since then are no longer loaded.
    assert.equal(countOfAll({ next_cursor: null, total: 5 }, 4), 4);
    assert.equal(countOfAll(undefined, 0), 0);
  });

  it("stays as it was known until all is read again", async () => {
    seen = [];
    client = new QueryClient();
    client.setQueryData<Numbers>(queryKey, { numbers: [9], next_cursor: null });
    await readWholeList<Numbers>({ client, queryKey, read, join });
    assert.deepEqual(seen, [1, 1, 1]);
  });

  it("ends after as many pages as were asked for, and says that there are more", async () => {
    const list = await readWholeList<Numbers>({ client, queryKey, read, join, mostPages: 2 });
    assert.deepEqual(list, { numbers: [0, 1, 2, 3], next_cursor: "4" });
  });
});

describe("pages of groups", () => {
  const page = (...groups: [name: string, ...ids: number[]][]) => ({
    groups: groups.map(([name, ...ids]) => ({ name, source: "compose" as const, containers: ids.map((id) => containerRecord({ id })) })),
    total: 9,
    archived_count: 0,
    next_cursor: null,
  });

  it("are one list, in which a group on both pages is one again", () => {
    assert.deepEqual(joinGroups(page(["a", 1], ["b", 2]), page(["b", 3], ["c", 4])), page(["a", 1], ["b", 2, 3], ["c", 4]));
    assert.deepEqual(joinGroups(page(["a", 1]), page(["b", 3])), page(["a", 1], ["b", 3]));
    assert.deepEqual(joinGroups(page(["a", 1]), page()), page(["a", 1]));
  });
});
