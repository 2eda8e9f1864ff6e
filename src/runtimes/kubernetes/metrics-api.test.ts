import assert from "node:assert/strict";
import { test } from "node:test";
import { createPodReadings } from "./metrics-api.ts";

function metricsOf(name: string, ...usages: object[]): string {
  return JSON.stringify({ metadata: { name, namespace: "shop" }, containers: usages.map((usage) => ({ name: "app", usage })) });
}

test("what the containers of a pod use is added up, and what is unknown of one is left out", () => {
  const readings = createPodReadings();
  readings.begin();
  readings.add(metricsOf("a", { cpu: "250m", memory: "64Mi" }, { cpu: 1, memory: "much" }));
  readings.add(metricsOf("b"));
  const read = readings.finish();
  assert.partialDeepStrictEqual(read.get("shop/a"), { cpuCores: 1.25, memoryBytes: 64 * 1024 ** 2 });
  assert.partialDeepStrictEqual(read.get("shop/b"), { cpuCores: null, memoryBytes: null });
});

test("a pod that is not in the next reading is gone, though one between them failed", () => {
  const readings = createPodReadings();
  readings.begin();
  for (const name of ["a", "b", "c"]) readings.add(metricsOf(name, { cpu: "1" }));
  readings.finish();
  readings.begin();
  readings.add(metricsOf("b", { cpu: "2" }));
  readings.begin();
  readings.add(metricsOf("c", { memory: "1Ki" }));
  const read = readings.finish();
  assert.deepEqual([...read.keys()], ["shop/c"]);
  assert.partialDeepStrictEqual(read.get("shop/c"), { cpuCores: null, memoryBytes: 1024 });
});

test("an answer of any other form is a gap only for its pod", () => {
  const readings = createPodReadings();
  readings.begin();
  const name = { metadata: { name: "a", namespace: "shop" } };
  const broken = [null, "", "{", "null", "1", '"a"', "[]", "{}", '{"metadata":null}', '{"metadata":{"name":1,"namespace":"shop"}}'];
  for (const json of broken) readings.add(json);
  for (const containers of [null, {}, "app", [null], ["app"], [{ usage: null }], [{ usage: "1" }], [{ usage: { cpu: {}, memory: [] } }]])
    readings.add(JSON.stringify({ ...name, containers }));
  const read = readings.finish();
  assert.deepEqual([...read.keys()], ["shop/a"]);
  assert.partialDeepStrictEqual(read.get("shop/a"), { cpuCores: null, memoryBytes: null });
});
