import assert from "node:assert/strict";
import { test } from "node:test";
import { type InspectedContainer, readContainer } from "./container.ts";
import { containerAnswer } from "./schemas.ts";

function read(config: object): InspectedContainer {
  const created = { Id: "a".repeat(64), State: { Status: "created" }, Config: config };
  return readContainer(containerAnswer.parse(created), { repositoryDigest: undefined, platform: null, labels: [], claims: [] });
}

test("how a container wants to be stopped: in seconds, by a signal's name or number", () => {
  const stopOf = ({ stopSignal, stopTimeoutMs }: InspectedContainer): unknown[] => [stopSignal, stopTimeoutMs];
  assert.deepEqual(stopOf(read({})), [undefined, undefined]);
  assert.deepEqual(stopOf(read({ StopSignal: "SIGWINCH", StopTimeout: 30 })), [28, 30_000]);
  assert.deepEqual(stopOf(read({ StopSignal: 15, StopTimeout: 0 })), [15, 0]);
});

test("an image may expose what no port can be", () => {
  const { container } = read({ ExposedPorts: { "70000/tcp": {}, "80/tcp": {}, "65535/udp": {} } });
  assert.deepEqual(
    container.ports.map(({ containerPort }) => containerPort),
    [80, 65_535],
  );
});
