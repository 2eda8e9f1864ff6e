import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { negotiateVersion } from "./describe.ts";

describe("API version", () => {
  const cases: [string, { newest: string; oldest: string | undefined }, string | undefined][] = [
    ["Docker 20.10", { newest: "1.41", oldest: "1.12" }, "1.41"],
    ["Docker 19.03", { newest: "1.40", oldest: "1.12" }, "1.40"],
    ["Docker 18.09", { newest: "1.39", oldest: "1.12" }, undefined],
    ["Docker 28", { newest: "1.51", oldest: "1.24" }, "1.51"],
    ["one that forgot ours", { newest: "1.60", oldest: "1.52" }, "1.52"],
    ["Podman 5", { newest: "1.41", oldest: "1.24" }, "1.41"],
    ["one that says no oldest", { newest: "1.52", oldest: undefined }, "1.51"],
    ["two digits after the point are a number", { newest: "1.9", oldest: "1.5" }, undefined],
    ["a next major version", { newest: "2.0", oldest: "1.44" }, "1.51"],
    ["nonsense", { newest: "../x", oldest: undefined }, undefined],
  ];
  for (const [name, engine, expected] of cases) it(`${name}: ${expected}`, () => assert.equal(negotiateVersion(engine), expected));
});
