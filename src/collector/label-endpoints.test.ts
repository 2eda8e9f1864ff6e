import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defaultsOf, HTTP_SETTINGS } from "../contract/check-settings.ts";
import type { EndpointCheck, HttpCheck } from "../observations.ts";
import { parseLabels } from "./labels.ts";

const http: HttpCheck = {
  method: "GET",
  expectedStatus: ["2xx"],
  headers: {},
  ...defaultsOf(HTTP_SETTINGS),
};
const check: EndpointCheck = {
  type: "http",
  target: "http://web/",
  intervalMs: 30_000,
  timeoutMs: 10_000,
  failureThreshold: 3,
  recoveryThreshold: 2,
  http,
};

function endpointsOf(labels: Record<string, string>) {
  return parseLabels(labels).endpoints;
}

describe("endpoints of labels", () => {
  it("have no address that is longer than a server reads", () => {
    const { endpoints, errors } = parseLabels({ "service.endpoint.http": `http://a.test/${"漢".repeat(300)}` });
    assert.deepEqual([endpoints.length, errors.map(({ label }) => label)], [0, ["service.endpoint.http"]]);
    assert.equal(endpointsOf({ "service.endpoint.http": `http://a.test/${"a".repeat(2034)}` }).length, 1);
  });

  it("are left out where they are too large together, which is reported", () => {
    const headers = JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, "v".repeat(380)])));
    const targets = Array.from({ length: 100 }, (_, index) => [`service.endpoint.${index}.http`, `http://a.test/${index}`]);
    const { endpoints, errors } = parseLabels({ ...Object.fromEntries(targets), "service.endpoint.http.headers": headers });
    assert.ok(endpoints.length > 50 && endpoints.length < 100, String(endpoints.length));
    assert.ok(JSON.stringify(endpoints).length < 525_000);
    assert.equal(errors.length, Math.min(50, 100 - endpoints.length));
    assert.match(errors[0]?.message ?? "", /is not checked: with it the endpoints of this container have more than 512 KiB\.$/);
  });

  it("has defaults", () => {
    assert.deepEqual(endpointsOf({ "service.endpoint.http": "http://web" }), [{ labelKey: "service.endpoint.http", check }]);
    assert.deepEqual(endpointsOf({ "service.endpoint.tcp": "db:5432" }), [
      { labelKey: "service.endpoint.tcp", check: { ...check, type: "tcp", target: "db:5432", http: null } },
    ]);
  });

  it("takes every setting, those with its index before those without", () => {
    const labels = {
      "service.endpoint.http": "http://zero",
      "service.endpoint.1.http": "https://one/x?y=1",
      "service.endpoint.7.tcp": "seven:7",
      "service.endpoint.interval": "1m",
      "service.endpoint.timeout": "2s",
      "service.endpoint.failure-threshold": "5",
      "service.endpoint.recovery-threshold": "1",
      "service.endpoint.http.method": "head",
      "service.endpoint.http.tls-verify": "false",
      "service.endpoint.0.interval": "45s",
      "service.endpoint.1.timeout": "2500ms",
      "service.endpoint.1.failure-threshold": "1",
      "service.endpoint.1.recovery-threshold": "4",
      "service.endpoint.1.http.method": "head",
      "service.endpoint.1.http.expected-status": "200, 204,3XX",
      "service.endpoint.1.http.tls-verify": "true",
      "service.endpoint.1.http.headers": '{"Authorization":"Bearer abc"}',
      "service.endpoint.1.http.max-redirects": "0",
      "service.endpoint.1.http.body-contains": "all  well ",
      "service.endpoint.7.interval": "5s",
    };
    const { endpoints, errors } = parseLabels(labels);
    assert.deepEqual(errors, []);
    const bare = { ...check, intervalMs: 60_000, timeoutMs: 2000, failureThreshold: 5, recoveryThreshold: 1 };
    const bareHttp = { ...http, method: "HEAD", tlsVerify: false };
    assert.deepEqual(
      new Map(endpoints.map((endpoint) => [endpoint.labelKey, endpoint.check])),
      new Map([
        ["service.endpoint.http", { ...bare, target: "http://zero/", intervalMs: 45_000, http: bareHttp }],
        [
          "service.endpoint.1.http",
          {
            ...bare,
            target: "https://one/x?y=1",
            timeoutMs: 2500,
            failureThreshold: 1,
            recoveryThreshold: 4,
            http: {
              method: "HEAD",
              expectedStatus: ["200", "204", "3xx"],
              headers: { Authorization: "Bearer abc" },
              ...defaultsOf(HTTP_SETTINGS),
              maxRedirects: 0,
              bodyContains: "all  well ",
            },
          },
        ],
        ["service.endpoint.7.tcp", { ...bare, type: "tcp", target: "seven:7", intervalMs: 5000, http: null }],
      ]),
    );
  });

  it("leaves out what has no good target, and keeps what is good next to a bad label", () => {
    const labels = {
      "service.endpoint.0.http": "ftp://zero",
      "service.endpoint.1.http": "http://one",
      "service.endpoint.1.interval": "soon",
      "service.endpoint.interval": "10s",
      "service.endpoint.2.http": "http://two",
      "service.endpoint.2.http.method": "BREW",
      "service.endpoint.100.http": "http://hundred",
    };
    const { endpoints, errors } = parseLabels(labels);
    assert.deepEqual(
      endpoints.map(({ labelKey, check: { intervalMs, http: settings } }) => [labelKey, intervalMs, settings?.method]),
      [
        ["service.endpoint.1.http", 10_000, "GET"],
        ["service.endpoint.2.http", 10_000, "GET"],
      ],
    );
    assert.deepEqual(
      errors.map(({ label }) => label),
      ["service.endpoint.0.http", "service.endpoint.1.interval", "service.endpoint.2.http.method", "service.endpoint.100.http"],
    );
  });

  it("takes one target an index", () => {
    const labels = { "service.endpoint.http": "http://a", "service.endpoint.0.tcp": "a:1", "service.endpoint.00.http": "http://b" };
    assert.deepEqual(
      endpointsOf(labels).map(({ labelKey }) => labelKey),
      ["service.endpoint.0.tcp"],
    );
  });

  it("understands an index with zeros before it", () => {
    const labels = { "service.endpoint.01.http": "http://a", "service.endpoint.1.interval": "7s" };
    assert.deepEqual(endpointsOf(labels), [
      { labelKey: "service.endpoint.01.http", check: { ...check, target: "http://a/", intervalMs: 7000 } },
    ]);
  });

  const targets: [string, string, string][] = [
    ["http", "HTTPS://MÜNCHEN.example/ä", "https://xn--mnchen-3ya.example/%C3%A4"],
    ["http", "http://user:pass%40word@host/", "http://user:pass%40word@host/"],
    ["http", "http://[::1]:8080", "http://[::1]:8080/"],
    ["http", "http://my_db:80/x", "http://my_db/x"],
    ["tcp", "MÜNCHEN.example:25", "xn--mnchen-3ya.example:25"],
    ["tcp", "[::1]:5432", "[::1]:5432"],
    ["tcp", " 10.0.0.1:22 ", "10.0.0.1:22"],
    ["tcp", "my_db:5432", "my_db:5432"],
  ];
  for (const [type, written, target] of targets) {
    it(`reads ${type} ${written} as ${target}`, () => {
      assert.equal(endpointsOf({ [`service.endpoint.${type}`]: written })[0]?.check.target, target);
    });
  }
});

describe("certificates of labels", () => {
  const asked: [string, string | undefined, string[]][] = [
    ["example.org", undefined, ["example.org:443"]],
    ["example.org", "8443", ["example.org:8443"]],
    ["a.example, B.example:465,a.example", undefined, ["a.example:443", "b.example:465"]],
    ["a.example,b.example:465", "443,8443", ["a.example:443", "a.example:8443", "b.example:465"]],
    ["münchen.example.", undefined, ["xn--mnchen-3ya.example:443"]],
    ["[::1]:8443,127.0.0.1", undefined, ["::1:8443", "127.0.0.1:443"]],
    ["a.example", "soon", ["a.example:443"]],
  ];
  for (const [domain, port, expected] of asked) {
    it(`reads ${domain} at ${port ?? "the default port"}`, () => {
      const labels = { "service.certificate.domain": domain, ...(port === undefined ? {} : { "service.certificate.port": port }) };
      const { certificates } = parseLabels(labels);
      assert.deepEqual(
        certificates.map((target) => `${target.domain}:${target.port}`),
        expected,
      );
      for (const target of certificates) assert.equal(target.serverName, target.domain);
    });
  }
});
