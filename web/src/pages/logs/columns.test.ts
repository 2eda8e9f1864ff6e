import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FoundLine } from "../../../../src/monitoring/logs/answers.ts";
import { columnNames } from "./column-names.ts";
import { columnWidths, foundFields, withFields } from "./columns.ts";

const line = (text: string, isCut = false): FoundLine => ({
  ...{ container_id: 1, container_name: "web", group: "shop", agent_id: null, timestamp: null },
  ...{ stream: "stdout", level: null, text, is_cut: isCut },
});

describe("columns of lines", () => {
  it("are the fields that lines have, those of most lines first", () => {
    const lines = [
      line('{"status":200,"msg":"ok"}'),
      line("\u001b[32mmsg=fine\u001b[0m took=12ms"),
      line('{"msg":"cut","a,b":1,"c d":2}'),
      line('{"msg":"cut off"', true),
      line("plain words"),
    ].map(withFields);
    assert.deepEqual(foundFields(lines), [
      { name: "msg", lines: 3, longest: 4 },
      { name: "status", lines: 1, longest: 3 },
      { name: "took", lines: 1, longest: 4 },
    ]);
    assert.equal(lines[3]?.fields, null);
  });

  it("are read from an address as far as they make sense", () => {
    assert.deepEqual(columnNames("status,http.path,status,,a b,msg"), ["status", "http.path", "msg"]);
    assert.equal(columnNames(",,"), undefined);
    assert.equal(columnNames(7), undefined);
    assert.equal(columnNames(Array.from({ length: 20 }, (_, index) => `f${index}`))?.length, 8);
  });

  it("are as wide as they need, the last as there is room", () => {
    const found = [
      { name: "msg", lines: 3, longest: 400 },
      { name: "status", lines: 1, longest: 3 },
    ];
    assert.equal(columnWidths(["status", "msg", "x"], found), "minmax(0,6ch) minmax(0,32ch) minmax(0,1fr)");
  });
});
