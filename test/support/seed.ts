import { randomInt } from "node:crypto";
import type { TestContext } from "node:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { type Chance, createChance } from "./chance.ts";

/** What all chance in tests comes from: BINNACLE_TEST_SEED, as a failure printed it, or a new one for each process. */
const SEED = readSeed(process.env["BINNACLE_TEST_SEED"]);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

/** fast-check with that seed, which it prints with each property that fails. */
export { fc };

/** Chance for one test, which draws the same whatever runs before it. Prints the seed when the test fails. */
export function chanceOf(context: TestContext): Chance {
  context.after(() => {
    // The types of Node do not have this property yet.
    const passed = "passed" in context && context.passed === true;
    if (!passed) context.diagnostic(`"${context.name}" draws the same again with BINNACLE_TEST_SEED=${SEED}`);
  });
  return createChance((SEED ^ crc32(context.name)) >>> 0);
}

function readSeed(text: string | undefined): number {
  if (text === undefined || text === "") return randomInt(2 ** 31);
  const seed = Number(text);
  if (!Number.isInteger(seed) || seed !== (seed | 0)) throw new Error(`BINNACLE_TEST_SEED must be a whole number of 32 bits, not ${text}`);
  return seed;
}
