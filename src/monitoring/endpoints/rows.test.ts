import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testSecrets } from "../../../test/support/secrets.ts";
import { checkFromText, openRow, sealedColumns } from "./rows.ts";

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

  it("has defaults where it was stored before a setting was there", () => {
    const stored = { type: "http", target: "http://web/", intervalMs: 30_000, timeoutMs: 10_000, recoveryThreshold: 4 };
    const http = { method: "GET", expectedStatus: ["2xx"], headers: {}, tlsVerify: false };
    assert.deepEqual(checkFromText(JSON.stringify({ ...stored, http })), {
      ...{ ...stored, failureThreshold: 3 },
      http: { ...http, maxRedirects: 5, bodyContains: null },
    });
    assert.equal(checkFromText(JSON.stringify({ ...stored, type: "tcp", http: null })).http, null);
  });

  it("is the same text in whatever order it was stored, since checks are compared as texts", () => {
    const first = { type: "http", target: "http://web/", intervalMs: 1, timeoutMs: 1, failureThreshold: 1, recoveryThreshold: 1 };
    const http = { method: "GET", expectedStatus: ["2xx"], tlsVerify: true, headers: {}, maxRedirects: 5, bodyContains: null };
    const reversed = (facts: object): object => Object.fromEntries(Object.entries(facts).toReversed());
    const text = (check: object): string => JSON.stringify(checkFromText(JSON.stringify(check)));
    assert.equal(text({ ...first, http }), text(reversed({ ...first, http: reversed(http) })));
  });
});
