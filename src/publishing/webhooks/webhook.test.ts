import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { EVENTS, type EventName } from "../../events.ts";
import { judge } from "../../platform/delivery-schedule.ts";
import { afterVerdicts, attemptOf, MOST_FAILURES, shownUrl, signedHeaders, type State, switched, faultsOf, wants } from "./webhook.ts";

const AT = new Date("2026-03-01T12:00:00.000Z");
const NEW: State = {
  active: true,
  disabledReason: null,
  lastDeliveryAt: null,
  lastStatus: null,
  lastStatusCode: null,
  lastError: null,
  failureCount: 0,
};
const REFUSED = attemptOf({ status: 500, retryAfterMs: null }, 3);
const finallyFailed = judge(4, REFUSED, AT);
const sent = judge(0, attemptOf({ status: 204, retryAfterMs: null }, 3), AT);

describe("a webhook subscription", () => {
  it("wants what it names; what comes all the time only by its own name", () => {
    const cases: [string[], EventName, boolean][] = [
      [["*"], "container.state_changed", true],
      [["*"], "resource.snapshot", false],
      [["*"], "endpoint.check_result", false],
      [["resource.*"], "resource.snapshot", false],
      [["resource.*"], "resource.alert", true],
      [["resource.snapshot"], "resource.snapshot", true],
      [["*", "endpoint.check_result"], "endpoint.check_result", true],
      [["container.*"], "endpoint.alert", false],
      [["endpoint.alert"], "endpoint.recovery", false],
    ];
    for (const [types, type, wanted] of cases) assert.equal(wants(types, type), wanted, `${types} ${type}`);
  });

  it("names every event type that does not exist", () => {
    assert.deepEqual(faultsOf(["*", "container.*", ...Object.keys(EVENTS)]), []);
    const wrong = ["", "**", ".*", "container", "container.", "cont.*", "container.gone", "Container.*", "*.alert"];
    assert.deepEqual(
      faultsOf(wrong).map(({ path }) => path),
      wrong.map((_, index) => `event_types.${index}`),
    );
  });

  it("is switched off by twenty failures in a row, and by nothing less", () => {
    const before = afterVerdicts(
      NEW,
      Array.from({ length: MOST_FAILURES - 1 }, () => finallyFailed),
    );
    assert.partialDeepStrictEqual(before, {
      active: true,
      failureCount: 19,
      lastStatus: "failed",
      lastStatusCode: 500,
      lastDeliveryAt: AT,
    });
    const retried = judge(0, REFUSED, AT);
    const refused = judge(0, { refused: "off" }, AT);
    assert.equal(afterVerdicts(before, [retried, refused]).active, true);
    assert.partialDeepStrictEqual(afterVerdicts(before, [sent]), { active: true, failureCount: 0, lastStatus: "sent", lastError: null });
    const off = afterVerdicts(before, [finallyFailed]);
    assert.partialDeepStrictEqual(off, {
      active: false,
      disabledReason: "20 deliveries in a row failed. Last error: The receiver answered 500.",
    });
    assert.deepEqual(switched(off, true), { active: true, disabledReason: null, failureCount: 0 });
    assert.deepEqual(switched(off, false), { active: false, disabledReason: off.disabledReason, failureCount: 20 });
  });

  it("signs exactly what is sent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.string({ minLength: 1, maxLength: 40 }), (text, secret) => {
        const body = JSON.stringify({ text });
        const headers = signedHeaders({ secret, type: "test", key: "7", body, at: AT });
        const bytes = Buffer.from(body, "utf8");
        const hmac = createHmac("sha256", secret).update(`${headers["x-service-timestamp"]}.`).update(bytes).digest("hex");
        assert.equal(headers["x-service-signature"], `sha256=${hmac}`);
      }),
    );
  });

  it("shows of its address the host alone, since any part after it may be a credential", () => {
    const cases = {
      "https://example.com": "https://example.com/",
      "https://example.com/hooks/binnacle": "https://example.com/***",
      "https://example.com:8443/?token=abc": "https://example.com:8443/***",
    };
    for (const [url, shown] of Object.entries(cases)) assert.equal(shownUrl(url), shown);
  });
});
