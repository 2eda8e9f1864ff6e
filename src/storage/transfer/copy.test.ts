import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { contentsOf, emptyStores, type Store } from "../../../test/support/stores.ts";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../../platform/errors.ts";
import { copyInto } from "./index.ts";

const stores = emptyStores();
after(() => stores.stop());

/** One run of a copy, which ends after so many batches, as a kill between two of them does. */
async function copy(from: Store, to: Store, { batches = Infinity }: { batches?: number } = {}) {
  let restarts = 0;
  const source = await from.source(true);
  const read = async function* () {
    let left = batches;
    for await (const batch of source.read()) {
      if (left === 0) throw new Error("killed");
      left -= 1;
      yield batch;
    }
  };
  const target = await to.target();
  try {
    return { ...(await copyInto(target, { ...source, read }, () => (restarts += 1))), restarts };
  } finally {
    await target.close();
    await source.close();
  }
}

for (const [from, to] of [
  ["sqlite", "postgresql"],
  ["postgresql", "sqlite"],
] as const)
  describe(`a copy of ${from} to ${to}`, () => {
    it("continues where it was interrupted, and is then the same", async () => {
      const source = await stores.filled(from);
      const target = await stores.of(to);
      await assert.rejects(copy(source, target, { batches: 20 }), /killed/);
      await assert.rejects(contentsOf(target), StartError, "no program finds an unfinished copy");
      await assert.rejects(copy(source, target, { batches: 30 }), /killed/);
      const { rows, resumedRows, restarts, kept } = await copy(source, target);
      assert.ok(resumedRows > 20 && resumedRows < rows, `${resumedRows} of ${rows}`);
      assert.deepEqual({ restarts, kept }, { restarts: 0, kept: null });
      assert.deepEqual(await contentsOf(target), await contentsOf(source));
      await assert.rejects(copy(source, target), /There is a database already/);
    });
  });

it("a copy whose source has changed since begins again", async () => {
  const source = await stores.filled("sqlite");
  const target = await stores.of("sqlite");
  await assert.rejects(copy(source, target, { batches: 30 }), /killed/);
  const file = new DatabaseSync(source.place);
  file.exec("UPDATE alerts SET message = 'another' WHERE id = (SELECT MIN(id) FROM alerts)");
  file.close();
  const { restarts, resumedRows } = await copy(source, target);
  assert.deepEqual({ restarts, resumedRows }, { restarts: 1, resumedRows: 0 });
  assert.deepEqual(await contentsOf(target), await contentsOf(source));
});

it("a copy whose source has lost rows since begins again", async () => {
  const source = await stores.filled("sqlite");
  const target = await stores.of("sqlite");
  await assert.rejects(copy(source, target, { batches: 30 }), /killed/);
  const file = new DatabaseSync(source.place);
  file.exec("DELETE FROM audit_entries");
  file.close();
  assert.equal((await copy(source, target)).restarts, 1);
  assert.deepEqual(await contentsOf(target), await contentsOf(source));
});
