import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { chanceOf } from "../../../../test/support/seed.ts";
import { silentLog } from "../../../platform/log.ts";
import { systemClock } from "../../../platform/clock.ts";
import { Spool } from "./index.ts";

const CRASHES = 30;
const BUDGETS = { maxMemoryBytes: 4000, maxDiskBytes: 100_000_000, maxAgeMs: 86_400_000 };

/** Pushes for ever; before each push that spills it says what is on the disk by then. Now and then takes and acknowledges some. */
const WRITER = `
  import { Spool } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
  import { systemClock } from ${JSON.stringify(new URL("../../../platform/clock.ts", import.meta.url).href)};
  import { silentLog } from ${JSON.stringify(new URL("../../../platform/log.ts", import.meta.url).href)};
  import { writeSync } from "node:fs";
  const spool = new Spool({ folder: process.argv[1], clock: systemClock, log: silentLog, ...${JSON.stringify(BUDGETS)} });
  let inMemory = 0, first;
  for (let count = 0; ; count += 1) {
    const seq = spool.nextSeq();
    first ??= seq;
    spool.push({ seq, observedAtMs: Date.now(), payload: Buffer.alloc(100, seq % 251) });
    inMemory += 126;
    if (inMemory > 4000) { inMemory = 0; writeSync(1, "disk " + seq + "\\n"); }
    if (count % 400 === 399) {
      const [record] = spool.read({ records: 50, bytes: 1e6 }).slice(-1);
      if (record !== undefined) { spool.acknowledge(record.seq); writeSync(1, "acknowledged " + record.seq + "\\n"); }
    }
    if (count === 20) writeSync(1, "begun " + first + "\\n");
  }
`;

test(`after each of ${CRASHES} crashes all that was on the disk is there, and nothing twice`, { timeout: 120_000 }, async (t) => {
  const chance = chanceOf(t);
  const folder = mkdtempSync(join(tmpdir(), "binnacle-crash-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let highest = 0;
  for (let crash = 0; crash < CRASHES; crash += 1) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", WRITER, folder], { stdio: ["ignore", "pipe", "inherit"] });
    const text = await killedAfter(child, 5 + chance.below(40));
    const [begun, onDisk, acknowledged] = [lastOf(text, "begun"), lastOf(text, "disk"), lastOf(text, "acknowledged")];
    assert.ok(begun > highest, "a number was used again");
    highest = Math.max(highest, begun, onDisk);
    const seqs = waitingIn(folder);
    assert.deepEqual(
      seqs,
      [...new Set(seqs)].sort((a, b) => a - b),
    );
    // An acknowledgement may have been written and not reported.
    const expected = seqs.filter((seq) => seq >= begun && seq <= onDisk);
    const from = Math.max(acknowledged + 1, begun);
    const missing = onDisk - from + 1 - expected.filter((seq) => seq >= from).length;
    assert.ok(missing <= 50 && (expected[0] === undefined || expected.at(-1) === onDisk), `${missing} are missing`);
    for (const [index, seq] of expected.entries()) assert.equal(seq, (expected[0] ?? 0) + index, "there is a hole");
    highest = Math.max(highest, seqs.at(-1) ?? 0);
  }
});

async function killedAfter(child: ChildProcess, ms: number): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk) => (text += String(chunk)));
  while (!text.includes("begun")) await new Promise((resolve) => setTimeout(resolve, 2));
  await new Promise((resolve) => setTimeout(resolve, ms));
  child.kill("SIGKILL");
  await once(child, "close");
  return text;
}

function lastOf(text: string, word: string): number {
  return Number([...text.matchAll(new RegExp(`^${word} (\\d+)$`, "gm"))].at(-1)?.[1] ?? 0);
}

/** Reads all, and leaves it as it is. */
function waitingIn(folder: string): number[] {
  const spool = new Spool({ folder, clock: systemClock, log: silentLog, ...BUDGETS });
  const records = spool.read({ records: 1e6, bytes: 1e9 });
  for (const { seq, payload } of records) assert.ok(payload.every((byte) => byte === seq % 251));
  spool.close();
  return records.map(({ seq }) => seq);
}
