import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../../platform/errors.ts";
import { CHANNEL_TYPES, type ChannelType } from "./api.ts";
import { KINDS } from "./kinds/kinds.ts";
import { completeSettings } from "./settings.ts";

/** Receivers that people run themselves stand behind proxies that ask for a header; those of a company know their own addresses. */
const TAKE_HEADERS: ReadonlySet<ChannelType> = new Set(["webhook", "ntfy", "gotify", "mattermost"]);

for (const type of CHANNEL_TYPES) {
  const takes = TAKE_HEADERS.has(type);
  test(`${type} ${takes ? "takes" : "refuses"} headers`, () => {
    const before = { name: "ops", type, url: "https://receiver.example/kept", headers: {}, enabled: true };
    const change = (): object => completeSettings({ headers: '{"X-Team":"ops"}' }, before, false).headers;
    if (takes) return assert.deepEqual(change(), { "X-Team": "ops" });
    assert.throws(change, (error) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual(error.details, [{ path: "headers", message: `Must be empty: ${KINDS[type].title} channels have none` }]);
      return true;
    });
  });
}
