import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tlsPeerOf } from "../../contract/targets.ts";
import { DAY_MS, HOUR_MS } from "../../contract/time.ts";
import { labelled } from "../../../test/support/endpoints.ts";
import { httpCheck } from "../../../test/support/endpoints.ts";
import type { SavedEndpoint } from "../endpoints/index.ts";
import {
  type Certificate,
  type CertificateState,
  daysUntil,
  nextCheckAt,
  notChecked,
  type LabelledTargets,
  wantedTargets,
} from "./certificate.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const alerts = { severity: "critical" as const, channels: [], tags: [] };

describe("when to look again", () => {
  const certificate: Certificate = {
    domain: "web.test",
    port: 443,
    serverName: "web.test",
    agentId: null,
    callerKey: null,
    source: "standalone",
    endpointId: null,
    container: null,
    alerts,
    thresholdsDays: [30, 14, 7, 3, 1],
    checkIntervalMs: 12 * HOUR_MS,
    createdAt: NOON,
    updatedAt: NOON,
    state: notChecked(NOON),
  };
  const state = (status: CertificateState["status"], leftMs: number | null): CertificateState => ({
    ...notChecked(NOON),
    status,
    leaf:
      leftMs === null
        ? null
        : { fingerprint: "AA", subject: "", issuer: "", issuerOrg: null, expiresAt: new Date(NOON.getTime() + leftMs) },
  });
  const cases: [what: string, state: CertificateState, random: number, seconds: number][] = [
    ["after the interval", state("valid", 90 * DAY_MS), 0, 43_200],
    ["a little earlier by chance", state("valid", 90 * DAY_MS), 1, 41_040],
    ["when it has been unreachable for ten minutes", state("unreachable", null), 0, 600],
    [
      "within an hour while it cannot be reached",
      { ...state("unreachable", null), statusSince: new Date(NOON.getTime() - 600_000) },
      0,
      3600,
    ],
    ["within an hour while the chain is broken", state("chain_invalid", 90 * DAY_MS), 0, 3600],
    ["within an hour while it is expiring", state("expiring", 20 * DAY_MS), 0, 3600],
    ["just after a threshold", state("valid", 30 * DAY_MS + 2 * HOUR_MS), 0, 7201],
    ["just after the end", state("expiring", 600_000), 0, 601],
    ["not at once, even so", state("expiring", 5_000), 0, 30],
  ];
  for (const [what, seen, random, seconds] of cases)
    it(what, () => assert.equal((nextCheckAt(certificate, seen, NOON, random).getTime() - NOON.getTime()) / 1000, seconds));

  it("is never later than the interval says", () => {
    const often = { ...certificate, checkIntervalMs: 60_000 };
    assert.equal(nextCheckAt(often, state("unreachable", null), NOON, 0).getTime() - NOON.getTime(), 60_000);
  });
});

describe("days left", () => {
  const cases: [hours: number, days: number][] = [
    [48, 2],
    [47.9, 1],
    [23, 0],
    [0, 0],
    [-0.1, -1],
    [-25, -2],
  ];
  for (const [hours, days] of cases)
    it(`of ${hours} hours are ${days}`, () => assert.equal(daysUntil(new Date(NOON.getTime() + hours * HOUR_MS), NOON), days));
});

describe("the peer of a URL", () => {
  const cases: [url: string, peer: [string, number] | undefined][] = [
    ["https://web.test/health", ["web.test", 443]],
    ["https://user:secret@web.test:8443/", ["web.test", 8443]],
    ["https://[2001:db8::1]/", ["2001:db8::1", 443]],
    ["https://münchen.test/", ["xn--mnchen-3ya.test", 443]],
    ["http://web.test/", undefined],
  ];
  for (const [url, peer] of cases)
    it(url, () =>
      assert.deepEqual(tlsPeerOf(url), peer === undefined ? undefined : { domain: peer[0], port: peer[1], serverName: peer[0] }),
    );
});

describe("what asks for a certificate", () => {
  const endpoint = (id: number, target: string, facts: Partial<SavedEndpoint> = {}): SavedEndpoint => ({
    id,
    agentId: null,
    container: null,
    labelKey: null,
    name: target,
    callerKey: null,
    check: httpCheck({ target }),
    alerts: { ...alerts, tags: [`e${id}`] },
    paused: false,
    inactiveSince: null,
    createdAt: NOON,
    updatedAt: NOON,
    state: { ...notCheckedEndpoint },
    ...facts,
  });
  const notCheckedEndpoint: SavedEndpoint["state"] = {
    status: "unknown",
    statusSince: NOON,
    alerting: false,
    failingSince: null,
    consecutiveFailures: 0,
    consecutiveSuccesses: 0,
    lastCheckAt: null,
    lastObservedAt: null,
    lastResponseTimeMs: null,
    lastHttpStatus: null,
    lastError: null,
    lastFailureClass: null,
    certificate: null,
  };
  const label = (...domains: string[]): LabelledTargets => ({
    container: { id: 9, externalId: "a", name: "web", labels: {} },
    alerts,
    targets: domains.map((domain) => ({ domain, port: 443, serverName: domain })),
  });
  const wanted = (endpoints: SavedEndpoint[], ...labels: LabelledTargets[]) =>
    [...wantedTargets(endpoints, labels).values()].map(({ domain, port, source, endpointId, container }) => [
      domain,
      port,
      source,
      endpointId,
      container?.id ?? null,
    ]);

  it("is each https endpoint once, by the oldest", () => {
    const endpoints = [
      endpoint(3, "https://web.test/b"),
      endpoint(2, "https://web.test/a"),
      endpoint(4, "https://web.test:8443/"),
      endpoint(5, "http://web.test/"),
    ];
    assert.deepEqual(wanted(endpoints), [
      ["web.test", 443, "endpoint", 2, null],
      ["web.test", 8443, "endpoint", 4, null],
    ]);
  });
  it("is a label before an endpoint, which it still names", () => {
    assert.deepEqual(wanted([endpoint(2, "https://web.test/")], label("web.test", "shop.test")), [
      ["web.test", 443, "label", 2, 9],
      ["shop.test", 443, "label", null, 9],
    ]);
  });
  it("is nothing of tcp", () => {
    assert.equal(labelled().check.type, "http");
    assert.deepEqual(
      wanted([endpoint(2, "web.test:443", { check: { ...httpCheck(), type: "tcp", target: "web.test:443", http: null } })]),
      [],
    );
  });
});
