import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { type Document, readOperations } from "../support/contract/document.ts";
import { credentialsFor, startDescribedProgram } from "../support/contract/program.ts";
import { runContract } from "../support/contract/run.ts";
import { reportOf } from "../support/contract/report.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import type { Program } from "../support/program.ts";
import { repetitions } from "../support/repetitions.ts";
import { chanceOf } from "../support/seed.ts";

const SEEDS = repetitions({ gate: 1, long: 3 });
const AMOUNTS = {
  bordersOfOperation: repetitions({ gate: 3, long: 150 }),
  randomOfOperation: repetitions({ gate: 1, long: 20 }),
  rounds: repetitions({ gate: 1, long: 3 }),
};

/** Whatever is sent, the program answers as its OpenAPI document says. */
storyOnBothDatabases("the OpenAPI document", (databaseEnv) => {
  let program: Program;
  let document: Document;
  // Started again for each seed: what it refuses after many requests it would refuse the next one from the start.
  beforeEach(async () => {
    ({ program, document } = await startDescribedProgram(await databaseEnv()));
  });
  afterEach(() => program?.stop());

  for (let round = 1; round <= SEEDS; round += 1) {
    it(`is kept by every operation, with seed ${round} of ${SEEDS}`, async (context) => {
      const seed = chanceOf(context).below(2 ** 31);
      const run = await runContract({ url: program.url, document, headersFor: credentialsFor, seed, amounts: AMOUNTS });
      context.diagnostic(reportOf(run));
      const missed = readOperations(document).filter(({ id }) => !run.visited.has(id));
      assert.deepEqual(
        missed.map(({ id }) => id),
        [],
        "operations that were not visited",
      );
      assert.equal(run.findings.length, 0, reportOf(run));
    });
  }
});
