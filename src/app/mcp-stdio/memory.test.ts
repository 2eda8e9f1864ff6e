import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemory, type Message } from "./memory.ts";

const INITIALIZE = { id: 1, method: "initialize", params: {} };
const subscribe = (uri: string): Message => ({ id: 2, method: "resources/subscribe", params: { uri } });

/** The subscriptions that are replayed to an instance. */
async function replayed(notes: Message[]): Promise<unknown[]> {
  const memory = createMemory();
  for (const message of [INITIALIZE, ...notes]) memory.note(message, JSON.stringify(message));
  const uris: unknown[] = [];
  await memory.replay({
    async send(line) {
      const { id, method, params } = JSON.parse(line) as { id: string; method: string; params: { uri?: string } };
      if (method === "resources/subscribe") uris.push(params.uri);
      assert.equal(memory.settle(id), true);
    },
    close: () => undefined,
  });
  return uris;
}

test("subscriptions are replayed, and ended ones are not", async () => {
  const end = { id: 3, method: "resources/unsubscribe", params: { uri: "a:1" } };
  assert.deepEqual(await replayed([subscribe("a:1"), subscribe("a:2"), subscribe("a:2"), end]), ["a:2"]);
});

test("no more is remembered than an instance takes", async () => {
  const many = Array.from({ length: 150 }, (_, at) => subscribe(`a:${at}`));
  assert.equal((await replayed(many)).length, 100);
  const longest = "a:".padEnd(500, "x");
  assert.deepEqual(await replayed([subscribe(`${longest}x`), subscribe(longest)]), [longest]);
});
