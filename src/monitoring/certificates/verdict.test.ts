import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_MS } from "../../contract/time.ts";
import { type ScanFacts, scanOf, unreachable } from "../../../test/support/certificates.ts";
import { fc } from "../../../test/support/seed.ts";
import type { CertificateStatus } from "../../events.ts";
import type { CertificateScan } from "../../observations.ts";
import { type CertificateState, NOTHING_RAISED, notChecked } from "./certificate.ts";
import { applyScan, type CertificateChange, raisedAlerts } from "./verdict.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const inDays = (days: number, from = NOON): Date => new Date(from.getTime() + days * DAY_MS);
const THRESHOLDS = [30, 14, 7, 3, 1];
/** Without an alert that it cannot be reached: see unreachable.test.ts. */
const ENDPOINTS = { endpointId: 7, source: "endpoint" as const };

/** Changes as words: `expiring 14`, `renewed expiring`. */
function words(changes: readonly CertificateChange[]): string[] {
  return changes.map((change) =>
    change.what === "alert"
      ? `${change.alert}${change.thresholdDays === null ? "" : ` ${change.thresholdDays}`}`
      : `${change.reason} ${change.alert}`,
  );
}

/** Scans at days after noon, one after another. */
function run(
  steps: readonly [day: number, scan: CertificateScan][],
  thresholdsDays = THRESHOLDS,
): { state: CertificateState; published: string[] }[] {
  let state = notChecked(NOON);
  return steps.map(([day, scan]) => {
    const { next, changes } = applyScan({ ...ENDPOINTS, state, thresholdsDays }, scan, { now: inDays(day) });
    state = next;
    return { state, published: words(changes) };
  });
}

const lasting = (days: number, facts: ScanFacts = {}): CertificateScan => scanOf({ expiresAt: inDays(days), ...facts });
const broken = (sentence: string, facts: ScanFacts = {}): CertificateScan =>
  lasting(200, { chainValid: false, chainError: sentence, ...facts });

describe("the status of a certificate", () => {
  const cases: [what: string, scan: CertificateScan, status: CertificateStatus, message: string | null][] = [
    ["is valid when nothing is wrong", lasting(31), "valid", null],
    ["is expiring at the first threshold", lasting(30), "expiring", "It expires on 2026-03-31 12:00 UTC, in 30 days."],
    ["is expiring on the last day", lasting(0.5), "expiring", "It expires on 2026-03-02 00:00 UTC, in less than a day."],
    [
      "is expired at its end",
      lasting(0, { chainValid: false, chainError: 'The certificate "web" expired.' }),
      "expired",
      'The certificate "web" expired.',
    ],
    [
      "is invalid when the chain is",
      broken("The intermediate certificate is missing."),
      "chain_invalid",
      "The intermediate certificate is missing.",
    ],
    [
      "is invalid for another host",
      lasting(200, { hostnameMatch: false, chainError: "It is for other.test." }),
      "chain_invalid",
      "It is for other.test.",
    ],
    ["is invalid when it was revoked", lasting(200, { ocsp: "revoked" }), "chain_invalid", "It was revoked."],
    ["is invalid before it is expiring", broken("It is self-signed.", { expiresAt: inDays(3) }), "chain_invalid", "It is self-signed."],
    ["is not known to be wrong by a staple that says nothing", lasting(200, { ocsp: "unknown" }), "valid", null],
    ["is unreachable without a certificate", unreachable, "unreachable", "web.test:443 refused the connection."],
  ];
  for (const [what, scan, status, message] of cases) {
    it(what, () => {
      const state = run([[0, scan]])[0]?.state;
      assert.deepEqual([state?.status, state?.message], [status, message]);
    });
  }
});

describe("what is published of a certificate", () => {
  const end = 40;
  const expired = lasting(end, { chainValid: false, chainError: "It expired." });
  const cases: [what: string, steps: [day: number, scan: CertificateScan][], expected: string[][]][] = [
    [
      "each threshold once",
      [
        [9, lasting(end)],
        [10, lasting(end)],
        [11, lasting(end)],
        [26, lasting(end)],
        [33, lasting(end)],
        [37, lasting(end)],
        [39, lasting(end)],
        [40, expired],
        [41, expired],
      ],
      [[], ["expiring 30"], [], ["expiring 14"], ["expiring 7"], ["expiring 3"], ["expiring 1"], ["expired"], []],
    ],
    [
      "of several crossed at once the most urgent",
      [
        [0, lasting(end)],
        [38, lasting(end)],
        [38.5, lasting(end)],
      ],
      [[], ["expiring 3"], []],
    ],
    [
      "the renewal of what was expiring",
      [
        [20, lasting(end)],
        [21, lasting(110, { fingerprint: "BB" })],
      ],
      [["expiring 30"], ["renewed expiring"]],
    ],
    [
      "the renewal of what was expired, all at once",
      [
        [39, lasting(end)],
        [40, expired],
        [41, lasting(130, { fingerprint: "BB" })],
      ],
      [["expiring 1"], ["expired"], ["renewed expiring", "renewed expired"]],
    ],
    [
      "of a new one that is soon over too, by its own count",
      [
        [39, lasting(end)],
        [39.1, lasting(52, { fingerprint: "BB" })],
        [45, lasting(52, { fingerprint: "BB" })],
      ],
      [["expiring 1"], ["expiring 14"], ["expiring 7"]],
    ],
    [
      "the renewal of what was expiring by one that is expired already",
      [
        [39, lasting(end)],
        [41, lasting(30, { fingerprint: "BB", chainValid: false, chainError: "It expired." })],
        [42, lasting(130, { fingerprint: "CC" })],
      ],
      [["expiring 1"], ["expired", "renewed expiring"], ["renewed expired"]],
    ],
    [
      "of one that was expired from the beginning, and of its renewal",
      [
        [41, expired],
        [42, expired],
        [43, lasting(130, { fingerprint: "BB" })],
      ],
      [["expired"], [], ["renewed expired"]],
    ],
    [
      "a broken chain once, and that it was put right",
      [
        [0, broken("no")],
        [1, broken("no")],
        [2, lasting(200)],
      ],
      [["chain_invalid"], [], ["changed chain_invalid"]],
    ],
    ["a broken chain in addition to the expiry", [[20, broken("no", { expiresAt: inDays(end) })]], [["expiring 30", "chain_invalid"]]],
    ["no broken chain because it expired", [[41, expired]], [["expired"]]],
    [
      "a broken chain above one that expired",
      [[41, { ...expired, chain: [...expired.chain, { ...must(expired.chain[0]), error: "no" }] }]],
      [["expired", "chain_invalid"]],
    ],
    [
      "what the dates of the last one say of one that cannot be reached",
      [
        [20, lasting(end)],
        [30, unreachable],
        [31, unreachable],
        [32, lasting(end)],
        [41, unreachable],
        [42, unreachable],
        [50, lasting(200, { fingerprint: "BB" })],
      ],
      [["expiring 30"], ["expiring 14"], [], [], ["expired"], [], ["renewed expiring", "renewed expired"]],
    ],
  ];
  for (const [what, steps, expected] of cases)
    it(what, () =>
      assert.deepEqual(
        run(steps).map((step) => step.published),
        expected,
      ),
    );

  it("follows thresholds that are changed", () => {
    const [first] = run([[20, lasting(end)]]);
    assert.ok(first !== undefined);
    const { next, changes } = applyScan({ ...ENDPOINTS, state: first.state, thresholdsDays: [7] }, lasting(end), { now: inDays(20) });
    assert.deepEqual([next.status, words(changes), next.raised.announcedDays], ["valid", ["changed expiring"], null]);
    const again = applyScan({ ...ENDPOINTS, state: next, thresholdsDays: THRESHOLDS }, lasting(end), { now: inDays(20) });
    assert.deepEqual(words(again.changes), ["expiring 30"]);
  });

  it("keeps what is known of one that cannot be reached", () => {
    const state = run([
      [0, lasting(end)],
      [1, unreachable],
    ]).at(-1)?.state;
    assert.partialDeepStrictEqual(state, {
      status: "unreachable",
      statusSince: inDays(1),
      lastError: "web.test:443 refused the connection.",
      leaf: { expiresAt: inDays(end) },
    });
  });
});

describe("any history of scans", () => {
  const anyScan = fc.oneof(
    fc.constant(unreachable),
    fc
      .record({ fingerprint: fc.constantFrom("AA", "BB", "CC"), days: fc.integer({ min: -5, max: 90 }), chainValid: fc.boolean() })
      .map(({ fingerprint, days, chainValid }) =>
        // A certificate's end is its own.
        lasting(days + fingerprint.charCodeAt(0), {
          fingerprint: `${fingerprint}${days}`,
          chainValid,
          chainError: chainValid ? null : "no",
        }),
      ),
  );
  const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), anyScan), { maxLength: 40 });

  it("raises and clears in turn, and clears everything by a good certificate", () => {
    fc.assert(
      fc.property(history, (steps) => {
        let day = 0;
        let state = notChecked(NOON);
        const standing = new Set<string>();
        const announced = new Map<string, number>();
        for (const [gap, scan] of [...steps, [1, lasting(5000, { fingerprint: "ZZ" })] as const]) {
          day += gap;
          const { next, changes } = applyScan({ ...ENDPOINTS, state, thresholdsDays: THRESHOLDS }, scan, { now: inDays(day) });
          for (const change of changes) {
            if (change.what === "recovery") assert.ok(standing.delete(change.alert), change.alert);
            else if (change.alert !== "expiring") assert.ok(!standing.has(change.alert) || change.alert === "expired", change.alert);
            if (change.what === "alert") {
              standing.add(change.alert);
              const key = scan.leaf?.fingerprintSha256 ?? state.leaf?.fingerprint ?? "";
              if (change.thresholdDays !== null) {
                assert.ok(change.thresholdDays < (announced.get(key) ?? Infinity) || state.raised.fingerprint !== key);
                announced.set(key, change.thresholdDays);
              }
            }
          }
          if (scan === unreachable) assert.ok(changes.every(({ what }) => what === "alert"));
          assert.deepEqual(new Set(raisedAlerts(next.raised)), standing);
          state = next;
        }
        assert.deepEqual([state.status, standing.size], ["valid", 0]);
        assert.deepEqual({ ...state.raised, fingerprint: null }, NOTHING_RAISED);
      }),
    );
  });
});

function must<Value>(value: Value | undefined): Value {
  assert.ok(value !== undefined);
  return value;
}
