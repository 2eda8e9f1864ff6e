import assert from "node:assert/strict";
import { test } from "node:test";
import { InfiniteQueryObserver, QueryObserver } from "@tanstack/react-query";
import { PatientQueryClient } from "./query-client.ts";
import { readWholeList, WHOLE_LIST } from "./whole-list.ts";

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

test("what is asked for of a list comes, though the list is made old meanwhile, and is then read again", async (t) => {
  const queryClient = new PatientQueryClient({ defaultOptions: { queries: { retry: false } } });
  const asked: { page: number; answer: () => void }[] = [];
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: ["alerts", "all"],
    queryFn: ({ pageParam: page }) => new Promise<number>((resolve) => asked.push({ page, answer: () => resolve(page) })),
    initialPageParam: 0,
    getNextPageParam: (last: number) => last + 1,
  });
  t.after(observer.subscribe(() => undefined));
  t.after(() => queryClient.clear());
  const pages = () => observer.getCurrentResult().data?.pages;
  await turn();
  asked.shift()?.answer();
  await turn();
  void observer.fetchNextPage();
  await turn();
  void queryClient.invalidateQueries({ queryKey: ["alerts"] });
  await turn();
  assert.deepEqual(
    asked.map(({ page }) => page),
    [1],
  );
  asked.shift()?.answer();
  await turn();
  assert.deepEqual(pages(), [0, 1]);
  assert.deepEqual(
    asked.map(({ page }) => page),
    [0],
    "it is read again from its beginning",
  );
  asked.shift()?.answer();
  await turn();
  asked.shift()?.answer();
  await turn();
  assert.deepEqual([pages(), asked.length], [[0, 1], 0]);
});

test("a whole list is read to its end, though events make it old all the time, and is then read again once", async (t) => {
  const queryClient = new PatientQueryClient({ defaultOptions: { queries: { retry: false } } });
  const read: number[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: ["rows"],
    meta: WHOLE_LIST,
    queryFn: ({ client, queryKey }) =>
      readWholeList<{ rows: number[]; next_cursor: string | null }>({
        client,
        queryKey,
        join: (list, next) => ({ ...next, rows: [...list.rows, ...next.rows] }),
        async read(cursor = "0") {
          const page = Number(cursor);
          read.push(page);
          for (let event = 0; event < 3 && read.length <= 8; event += 1) {
            await turn();
            void queryClient.invalidateQueries({ queryKey: ["rows"] });
          }
          return { rows: [page], next_cursor: page < 3 ? String(page + 1) : null };
        },
      }),
  });
  t.after(observer.subscribe(() => undefined));
  t.after(() => queryClient.clear());
  while (read.length < 4) await turn();
  assert.deepEqual(read, [0, 1, 2, 3]);
  while (read.length < 5) await turn();
  assert.deepEqual(observer.getCurrentResult().data, { rows: [0, 1, 2, 3], next_cursor: null });
  while (read.length < 9) await turn();
  while (queryClient.isFetching() > 0) await turn();
  await turn();
  assert.deepEqual(read, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3], "once after the last event");
});

test("who makes a whole list old while it is read can wait for the next reading", async (t) => {
  const queryClient = new PatientQueryClient();
  let readings = 0;
  const observer = new QueryObserver(queryClient, {
    queryKey: ["rows"],
    meta: WHOLE_LIST,
    async queryFn() {
      await turn();
      readings += 1;
      return readings;
    },
  });
  t.after(observer.subscribe(() => undefined));
  t.after(() => queryClient.clear());
  await queryClient.invalidateQueries({ queryKey: ["rows"] });
  assert.equal(observer.getCurrentResult().data, 2);
});
