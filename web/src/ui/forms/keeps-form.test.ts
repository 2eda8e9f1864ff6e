import assert from "node:assert/strict";
import { test } from "node:test";
import { keepsForm } from "./keeps-form.ts";

const at = (address: string) => {
  const { pathname, searchParams } = new URL(address, "http://app");
  return { pathname, search: Object.fromEntries(searchParams) };
};

test("a form stays while only what is shown beside it changes", () => {
  for (const [current, next, keeps] of [
    ["/endpoints?create=yes", "/endpoints?create=yes&q=shop", true],
    ["/status-page/settings", "/status-page/settings?agent_id=nas", true],
    ["/containers/7?tab=metrics", "/containers/7?tab=metrics&range=7d", true],
    ["/endpoints?create=yes", "/endpoints", false],
    ["/notifications?create=webhook", "/notifications?create=ntfy", false],
    ["/containers/7?tab=metrics", "/containers/7", false],
    ["/heartbeats/1?open=edit", "/heartbeats/2?open=edit", false],
    ["/heartbeats/new", "/heartbeats/new?at=2026-01-01T00:00:00Z", false],
  ] as const) {
    assert.equal(keepsForm(at(current), at(next)), keeps, `${current} to ${next}`);
  }
});
