import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { namedLikeAttributes, parseEvent, trusted } from "./event.ts";
import { createLineSplitter } from "../line-splitter.ts";

const ID = "a".repeat(64);
const DOCKER = { podman: false };
const PODMAN = { podman: true };

describe("event", () => {
  it("reads Docker's", () => {
    const line = `{"status":"die","id":"${ID}","from":"app:1","Type":"container","Action":"die","Actor":{"ID":"${ID}","Attributes":{"com.example":"x","exitCode":"137","image":"app:1","name":"web"}},"scope":"local","time":1795232092,"timeNano":1795232092514696711}`;
    assert.deepEqual(parseEvent(line, DOCKER), {
      action: "die",
      containerId: ID,
      timeNs: 1795232092514696711n,
      name: "web",
      image: "app:1",
      labels: { "com.example": "x" },
      exitCode: 137,
      health: null,
      signal: undefined,
      podman: false,
    });
  });

  it("reads Podman's dialect", () => {
    const died = parseEvent(
      `{"status":"died","id":"${ID}","Type":"container","Action":"died","Actor":{"ID":"${ID}","Attributes":{"containerExitCode":"1","name":"web"}},"time":1647489403}`,
      PODMAN,
    );
    assert.deepEqual([died?.action, died?.exitCode, died?.timeNs], ["die", 1, 1647489403_000000000n]);
    const health = parseEvent(
      `{"Type":"container","Action":"health_status","Actor":{"ID":"${ID}","Attributes":{"health_status":"unhealthy"}},"time":1,"timeNano":5}`,
      PODMAN,
    );
    assert.deepEqual([health?.action, health?.health], ["health_status", "unhealthy"]);
    const fourth = parseEvent(
      `{"Type":"container","Action":"health_status","Actor":{"ID":"${ID}","Attributes":{"containerExitCode":"0","podId":""}},"timeNano":5,"HealthStatus":"unhealthy"}`,
      PODMAN,
    );
    assert.deepEqual([fourth?.health, fourth?.podman], ["unhealthy", true]);
    const removed = parseEvent(`{"status":"remove","id":"${ID}","Type":"container","time":1}`, PODMAN);
    assert.deepEqual([removed?.action, removed?.containerId], ["destroy", ID]);
  });

  it("distinguishes labels from what the engine adds", () => {
    const own = ["image", "name", "exitCode", "containerExitCode", "execDuration", "signal", "oldName", "execID", "health_status", "podId"];
    const attributes = Object.fromEntries([...own, "com.example"].map((name) => [name, "1"]));
    const event = parseEvent(
      JSON.stringify({ Type: "container", Action: "rename", Actor: { ID, Attributes: attributes }, timeNano: 5 }),
      DOCKER,
    );
    assert.deepEqual(event?.labels, { "com.example": "1" });
  });

  it("does not believe an exit code that a label of the container may have put there", () => {
    const line = `{"Type":"container","Action":"die","Actor":{"ID":"${ID}","Attributes":{"exitCode":"0"}},"timeNano":5}`;
    const died = parseEvent(line, DOCKER);
    assert.ok(died);
    const exitCode = (labels: Record<string, string>): number | null => trusted(died, namedLikeAttributes(labels)).exitCode;
    assert.deepEqual(
      [exitCode({ "com.example": "x" }), exitCode({ exitCode: "0" }), exitCode({ containerExitCode: "0" })],
      [0, null, null],
    );
    assert.deepEqual(namedLikeAttributes({ signal: "SIGHUP", podId: "", "com.example": "x" }), ["signal", "podId"]);
  });

  it("takes the container out of a network event", () => {
    const event = parseEvent(
      `{"Type":"network","Action":"disconnect","Actor":{"ID":"net","Attributes":{"container":"${ID}"}},"timeNano":5}`,
      DOCKER,
    );
    assert.deepEqual([event?.action, event?.containerId], ["disconnect", ID]);
  });

  it("is not fooled by labels that look like fields", () => {
    const event = parseEvent(
      `{"Type":"container","Action":"start","Actor":{"ID":"${ID}","Attributes":{"x":"\\"timeNano\\":1,","timeNano":"2"}},"timeNano":7}`,
      DOCKER,
    );
    assert.equal(event?.timeNs, 7n);
  });

  for (const line of [
    "",
    "{",
    "null",
    "[]",
    `{"Type":"image","Action":"pull","Actor":{"ID":"x"},"timeNano":1}`,
    `{"Type":"container","Action":"exec_die","Actor":{"ID":"${ID}"},"timeNano":1}`,
    `{"Type":"container","Action":"exec_create: sh","Actor":{"ID":"${ID}"},"timeNano":1}`,
    `{"Type":"container","Action":"constructor","Actor":{"ID":"${ID}"},"timeNano":1}`,
    `{"Type":"container","Action":"start","timeNano":1}`,
    `{"Type":"container","Action":"start","Actor":{"ID":"${ID}"}}`,
    `{"Type":"network","Action":"disconnect","Actor":{"ID":"net"},"timeNano":1}`,
    `{"Type":"network","Action":"create","Actor":{"ID":"net","Attributes":{"container":"x"}},"timeNano":1}`,
  ]) {
    it(`ignores ${line.slice(0, 70)}`, () => assert.equal(parseEvent(line, DOCKER), undefined));
  }

  it("never throws", () => fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseEvent(text, DOCKER))));
});

describe("line splitter", () => {
  it("gives the same lines however the bytes are cut", () => {
    const text = fc.array(
      fc.string({ unit: "grapheme" }).map((line) => line.replaceAll("\n", "")),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(text, fc.array(fc.nat(500), { maxLength: 10 }), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const splitter = createLineSplitter(10_000);
        const edges = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
        const got = edges.slice(1).flatMap((edge, index) => splitter.push(bytes.subarray(edges[index], edge)));
        assert.deepEqual(
          got,
          lines.filter((line) => line !== ""),
        );
      }),
    );
  });

  it("gives null for a line beyond the bound without keeping it, and reads the next", () => {
    const splitter = createLineSplitter(10);
    assert.deepEqual(splitter.push(Buffer.from("ok\n0123456789")), ["ok"]);
    for (let turn = 0; turn < 100; turn += 1) assert.deepEqual(splitter.push(Buffer.alloc(1000, "x")), []);
    assert.deepEqual(splitter.push(Buffer.from("\nfine\n")), [null, "fine"]);
  });
});
