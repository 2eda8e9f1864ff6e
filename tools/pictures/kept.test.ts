import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { KEPT_FOLDER, keptNames, SHAPES } from "./kept.ts";
import { decodePng } from "./png.ts";

const MOST_BYTES_OF_ALL = 500_000;
const MOST_BYTES = 8_000;

test("the pictures that are kept are small, each and in all", () => {
  const sizes = keptNames().map((name) => [name, statSync(join(KEPT_FOLDER, `${name}.png`)).size] as const);
  assert.deepEqual(
    sizes.filter(([, bytes]) => bytes > MOST_BYTES),
    [],
  );
  const sum = sizes.reduce((total, [, bytes]) => total + bytes, 0);
  assert.ok(sum <= MOST_BYTES_OF_ALL, `${sum} bytes in all`);
});

test("every page is kept in every size, each as wide as its window", () => {
  const names = keptNames();
  const pages = new Set(names.map((name) => name.split(".")[0]));
  for (const page of pages)
    for (const { name, viewport, block } of SHAPES) {
      const keptName = `${page}.${name}`;
      assert.ok(names.includes(keptName), `${keptName} is not kept`);
      const { width } = decodePng(readFileSync(join(KEPT_FOLDER, `${keptName}.png`)));
      if (page?.startsWith("gallery-") !== true) assert.equal(width, Math.ceil(viewport.width / block), keptName);
    }
});
