import assert from "node:assert/strict";
import { test } from "node:test";
import { InfiniteQueryObserver } from "@tanstack/react-query";
import { PatientQueryClient } from "./query-client.ts";

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
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
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
