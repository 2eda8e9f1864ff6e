import assert from "node:assert/strict";
import { test } from "node:test";
import { detailLines, detailName } from "./detail-words.ts";

test("details of an alert, in words", () => {
  assert.deepEqual(detailLines("findings", ["port_exposed_all_interfaces 5432/tcp", "privileged_container"]), [
    "Port exposed all interfaces: 5432/tcp",
    "Privileged container",
  ]);
  assert.deepEqual(detailLines("window_seconds", 600), ["10 min"]);
  assert.deepEqual(detailLines("oom_killed", true), ["Yes"]);
  assert.deepEqual(detailLines("image", "shop_web"), ["shop_web"]);
  assert.deepEqual(detailLines("failure_class", "assertion"), ["Unexpected content"]);
  assert.deepEqual(detailLines("error", null), []);
  assert.deepEqual(detailLines("error", ""), []);
  assert.deepEqual(detailLines("worst", { a: 1 }), ['{"a":1}']);
  assert.equal(detailLines("findings", Array(25).fill("x")).at(-1), "5 more");
});

test("names of details, as labels", () => {
  assert.equal(detailName("debounce_seconds"), "Debounce");
  assert.equal(detailName("http_status"), "HTTP status");
  assert.equal(detailName("failure_class"), "Failure");
  assert.equal(detailName("oom_killed"), "OOM killed");
  assert.equal(detailName("failing_since"), "Failing since");
});
