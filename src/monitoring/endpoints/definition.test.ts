import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { body, httpCheck } from "../../../test/support/endpoints.ts";
import { hostAndPort, httpUrl } from "../../collector/label-values.ts";
import { parseLabels } from "../../collector/labels.ts";
import { isServiceError } from "../../platform/errors.ts";
import { endpointBody } from "./api.ts";
import { checkFromBody, nameOfLabelled, nameOfStandalone, shownTarget, withoutSecrets } from "./definition.ts";

describe("a target as it is shown", () => {
  const cases: [target: string, shown: string][] = [
    ["http://web.test/health?deep=1", "http://web.test/health?deep=1"],
    ["https://user:hunter2@web.test/", "https://***@web.test/"],
    ["https://token@web.test:8443/a", "https://***@web.test:8443/a"],
    ["https://web.test/a?api_key=abcdef&x=1", "https://web.test/a?api_key=***&x=1"],
    ["https://web.test/a?x=1&token=abc%20def#part", "https://web.test/a?x=1&token=***#part"],
    ["https://web.test/a?ghp_abcdefgh1234&x=1", "https://web.test/a?***&x=1"],
    ["https://web.test/a?x=1#access_token=abcdef", "https://web.test/a?x=1#***"],
    ["https://web.test/a?wsdl", "https://web.test/a?wsdl"],
    ["https://hooks.slack.com/services/T0/B0/abc", "https://hooks.slack.com/***"],
  ];
  for (const [target, shown] of cases) it(`${shown}`, () => assert.equal(shownTarget({ type: "http", target }), shown));
  it("of tcp has nothing to hide", () => assert.equal(shownTarget({ type: "tcp", target: "db.test:5432" }), "db.test:5432"));
});

describe("what a body asks for", () => {
  const kept = httpCheck(
    { target: "https://user:hunter2@web.test/a?token=s3cret&x=1" },
    { headers: { Authorization: "Bearer abc", "X-Plain": "1" } },
  );
  const refusedAt = (path: string) => (error: unknown) =>
    isServiceError(error, "unusable_values") && JSON.stringify(error.details).includes(`"${path}"`) && !error.message.includes("hunter2");

  it("takes the defaults of labels", () => {
    assert.deepEqual(checkFromBody(body()), httpCheck());
    assert.deepEqual(checkFromBody(endpointBody.parse({ type: "tcp", target: "DB.test:5432", interval_seconds: 5 })), {
      type: "tcp",
      target: "db.test:5432",
      intervalMs: 5000,
      timeoutMs: 5000,
      failureThreshold: 3,
      recoveryThreshold: 2,
      http: null,
    });
  });

  it("keeps what is masked", () => {
    const { target, http } = withoutSecrets(kept);
    assert.deepEqual([target, http?.headers], ["https://***@web.test/a?token=***&x=1", { Authorization: "***", "X-Plain": "***" }]);
    assert.deepEqual(checkFromBody(body({ target, headers: http?.headers }), kept), kept);
    const moved = checkFromBody(body({ target: "https://***@web.test/b?token=***", headers: { authorization: "***" } }), kept);
    assert.deepEqual(
      [moved.target, moved.http?.headers],
      ["https://user:hunter2@web.test/b?token=s3cret", { authorization: "Bearer abc" }],
    );
  });

  it("gives kept secrets to no other scheme, host or port", () => {
    for (const target of ["https://web.test/?***", "https://web.test/#***"])
      assert.throws(() => checkFromBody(body({ target }), kept), refusedAt("target"));
    for (const target of ["http://***@web.test/", "https://***@web.test:8443/"])
      assert.throws(() => checkFromBody(body({ target }), kept), refusedAt("target"));
    assert.throws(
      () => checkFromBody(body({ target: "http://web.test/", headers: { Authorization: "***" } }), kept),
      refusedAt("headers.Authorization"),
    );
    assert.throws(() => checkFromBody(body({ target: "https://***@evil.test/" }), kept), refusedAt("target"));
    assert.throws(() => checkFromBody(body({ target: "https://evil.test/?token=***" }), kept), refusedAt("target"));
    assert.throws(
      () => checkFromBody(body({ target: "https://evil.test/", headers: { Authorization: "***" } }), kept),
      refusedAt("headers.Authorization"),
    );
  });

  it("knows no secret that was never given", () => {
    assert.throws(() => checkFromBody(body({ headers: { Authorization: "***" } })), refusedAt("headers.Authorization"));
    assert.throws(() => checkFromBody(body({ headers: { "X-Other": "***" } }), kept), refusedAt("headers.X-Other"));
    assert.throws(() => checkFromBody(body({ target: "https://***@web.test/" }), httpCheck()), refusedAt("target"));
  });
});

describe("targets of bodies and of labels", () => {
  const targets = [
    "http://web.test",
    "https://u:p@web.test:8443/x",
    "HTTP://Web.Test/",
    "http://bücher.example/",
    "http://[::1]:80/",
    "http://10.0.0.1/",
    "ftp://web.test",
    "web.test",
    "http://",
    "http://a..b/",
    "http://web.test:0/",
    "http://web.test:70000/",
    "https://web test/",
    "http://-/",
    "db.test:5432",
    "[::1]:5432",
    "db.test:0",
    "db.test:70000",
    "db.test",
    "a..b:80",
    ":80",
    "db.test:",
    "bücher.example:80",
    "::1:80",
  ];
  const accepts = (type: string, target: string): boolean => endpointBody.safeParse({ type, target }).success;
  for (const target of targets) {
    it(`are judged alike: ${target}`, () => {
      assert.equal(accepts("http", target), httpUrl(target).ok);
      assert.equal(accepts("tcp", target), hostAndPort(target).ok);
    });
  }
});

describe("a text that a response must contain", () => {
  const label = "service.endpoint.http";
  const ofLabel = (text: string) => parseLabels({ [label]: "http://web.test", [`${label}.body-contains`]: text }).errors;
  const ofBody = (text: string) => endpointBody.safeParse({ type: "http", target: "http://web.test", body_contains: text }).success;

  it("has at most 255 characters, in a body as in a label", () => {
    for (const [length, fits] of [
      [255, true],
      [256, false],
    ] as const) {
      const text = "x".repeat(length);
      assert.deepEqual([ofLabel(text).length === 0, ofBody(text)], [fits, fits], `${length} characters`);
    }
  });
});

describe("bodies that are refused", () => {
  const cases: [path: string, facts: Record<string, unknown>][] = [
    ["type", { type: "icmp" }],
    ["target", { target: "a..b" }],
    ["target", { type: "tcp", target: "db.test:70000" }],
    ["interval_seconds", { interval_seconds: 4 }],
    ["interval_seconds", { interval_seconds: 86_401 }],
    ["timeout_seconds", { timeout_seconds: 61, interval_seconds: 100 }],
    ["timeout_seconds", { timeout_seconds: 31, interval_seconds: 30 }],
    ["failure_threshold", { failure_threshold: 0 }],
    ["expected_status.0", { expected_status: ["ok"] }],
    ["expected_status", { expected_status: [] }],
    ["method", { method: "BREW" }],
    ["headers.a b", { headers: { "a b": "1" } }],
    ["headers.X", { headers: { X: "a\r\nB: c" } }],
    ["headers.Content-Length", { headers: { "Content-Length": "1" } }],
    ["max_redirects", { max_redirects: 21 }],
    ["body_contains", { body_contains: "  " }],
    ["name", { name: "\u202e" }],
    ["alert_severity", { alert_severity: "loud" }],
  ];
  for (const [path, facts] of cases) {
    it(`name ${path} of ${JSON.stringify(facts)}`, () => {
      const { error } = endpointBody.safeParse({ type: "http", target: "http://web.test", ...facts });
      assert.ok(
        error?.issues.some((issue) => issue.path.join(".") === path),
        JSON.stringify(error?.issues),
      );
    });
  }
  it("hold headers of http for tcp", () =>
    assert.equal(endpointBody.safeParse({ type: "tcp", target: "db.test:1", headers: {} }).success, false));
});

describe("names", () => {
  it("are the container's, numbered from the second on", () => {
    const name = (labelKey: string): string => nameOfLabelled({ labelKey }, { name: "web" });
    assert.deepEqual(["service.endpoint.http", "service.endpoint.0.tcp", "service.endpoint.3.http"].map(name), ["web", "web", "web 3"]);
  });
  it("are the target without its secrets where none is given", () => {
    const given = body({ target: "https://u:p@web.test/" });
    assert.equal(nameOfStandalone(given, checkFromBody(given)), "https://***@web.test/");
    assert.equal(nameOfStandalone(body({ name: " Shop\u001b[31m " }), httpCheck()), "Shop");
  });
});
