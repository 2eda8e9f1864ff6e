import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemory, type Message } from "./memory.ts";

const INITIALIZE = { id: 1, method: "initialize", params: {} };
const subscribe = (uri: string): Message => ({ id: 2, method: "resources/subscribe", params: { uri } });

/** The subscriptions that an instance is told of again. */
async function saidAgain(notes: Message[]): Promise<unknown[]> {
  const memory = createMemory();
  for (const message of [INITIALIZE, ...notes]) memory.note(message, JSON.stringify(message));
  const uris: unknown[] = [];
  await memory.sayAgain({
    async send(line) {
      const { id, method, params } = JSON.parse(line) as { id: string; method: string; params: { uri?: string } };
      if (method === "resources/subscribe") uris.push(params.uri);
      assert.equal(memory.settle(id), true);
    },
    close: () => undefined,
  });
  return uris;
}

test("what was subscribed to is said again, and what was ended is not", async () => {
  const end = { id: 3, method: "resources/unsubscribe", params: { uri: "a:1" } };
  assert.deepEqual(await saidAgain([subscribe("a:1"), subscribe("a:2"), subscribe("a:2"), end]), ["a:2"]);
});

test("no more is remembered than an instance takes", async () => {
  const many = Array.from({ length: 150 }, (_, at) => subscribe(`a:${at}`));
  assert.equal((await saidAgain(many)).length, 100);
  const longest = "a:".padEnd(500, "x");
  assert.deepEqual(await saidAgain([subscribe(`${longest}x`), subscribe(longest)]), [longest]);
});
