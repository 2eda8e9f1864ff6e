import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../../platform/errors.ts";
import type { ChannelType } from "./api.ts";
import { KINDS } from "./kinds/kinds.ts";
import { completeSettings } from "./settings.ts";

/** Receivers that people run themselves stand behind proxies that ask for a header; those of a company know their own addresses. */
const TAKE_HEADERS: Readonly<Record<ChannelType, boolean>> = {
  slack: false,
  discord: false,
  teams: false,
  webhook: true,
  pagerduty: false,
  ntfy: true,
  gotify: true,
  telegram: false,
  mattermost: true,
  email: false,
};

for (const [type, takes] of Object.entries(TAKE_HEADERS) as [ChannelType, boolean][])
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
