import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { osvRecord } from "../../../../test/support/osv.ts";
import { zipByPython } from "../../../../test/support/python.ts";
import { silentLog } from "../../../platform/log.ts";
import { questionsOf } from "../findings.ts";
import { createOfflineSource } from "./offline.ts";

it("records are read from a zip file that Python made", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-osv-"));
  context.after(() => rmSync(folder, { recursive: true }));
  zipByPython(join(folder, "all.zip"), "a.json", JSON.stringify(osvRecord({ id: "GHSA-1", ecosystem: "npm", name: "lodash" })));
  const source = createOfflineSource({ folder, clock: createFakeClock(), log: silentLog });
  context.after(() => source.stop());
  const { questions } = questionsOf([{ ecosystem: "npm", name: "lodash", version: "4.17.20", source: null }]);
  const { records } = await source.records(questions, new AbortController().signal);
  assert.deepEqual(
    records.flat().map(({ id }) => id),
    ["GHSA-1"],
  );
});
