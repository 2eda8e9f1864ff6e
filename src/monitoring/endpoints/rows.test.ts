import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testSecrets } from "../../../test/support/secrets.ts";
import { openRow, sealedColumns } from "./rows.ts";

type Row = Parameters<typeof openRow>[0];
const row = (facts: Partial<Row>): Row => ({ id: 7, label_key: null, ...facts }) as Row;
const CHECK = '{"headers":{"authorization":"Bearer hunter2"}}';

describe("the check of an endpoint, as it is stored", () => {
  it("is sealed for its place, by which earlier versions sealed it too", () => {
    const before = testSecrets.seal(CHECK, { table: "endpoints", column: "checked", id: 7 });
    assert.equal(openRow(row({ checked: before }), testSecrets).checked, CHECK);
    const { checked } = sealedColumns(row({ checked: CHECK }), 7, testSecrets);
    assert.doesNotMatch(checked, /hunter2/);
    assert.equal(openRow(row({ checked }), testSecrets).checked, CHECK);
  });

  it("is stored as it is where a label says it, which holds no secret", () => {
    const labelled = row({ label_key: "service.endpoint.http", checked: CHECK });
    assert.equal(sealedColumns(labelled, 7, testSecrets).checked, CHECK);
    assert.equal(openRow(labelled, testSecrets).checked, CHECK);
  });
});
