import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fakeContainer } from "../../test/support/fake-runtime.ts";
import { fc } from "../../test/support/seed.ts";
import { DEFAULT_UPDATE_SETTINGS } from "../observations.ts";
import { parseLabels, STRICT_LABELS, toSighting } from "./labels.ts";

describe("labels", () => {
  it("has defaults", () => {
    assert.deepEqual(parseLabels({ "com.example": "x" }), {
      settings: {
        ignored: false,
        group: null,
        alertSeverity: "warning",
        alertChannels: [],
        alertTags: [],
        restartThreshold: 3,
        downAfterMs: null,
        updates: DEFAULT_UPDATE_SETTINGS,
      },
      endpoints: [],
      certificates: [],
      errors: [],
    });
  });

  it("reads what containers ask for", () => {
    const { settings, errors } = parseLabels({
      "service.ignore": "1",
      "service.group": " Shop \u001b[31mred\u001b[0m ",
      "service.alert.severity": "Critical",
      "service.alert.channels": "ops, on-call,,ops",
      "service.alert.tags": "db",
      "service.alert.restart_threshold": "5",
      "service.alert.down": "2m",
    });
    assert.deepEqual(errors, []);
    assert.deepEqual(settings, {
      ignored: true,
      group: "Shop red",
      alertSeverity: "critical",
      alertChannels: ["ops", "on-call"],
      alertTags: ["db"],
      restartThreshold: 5,
      downAfterMs: 120_000,
      updates: DEFAULT_UPDATE_SETTINGS,
    });
  });

  it("reads that a container may be down for ever", () => {
    const { settings, errors } = parseLabels({ "service.alert.down": "Off" });
    assert.deepEqual([settings.downAfterMs, errors], [0, []]);
  });

  const understood: [string, string][] = [
    ["service.ignore", "false"],
    ["service.endpoint.http", "https://example.org/health?x=1"],
    ["service.endpoint.tcp", "db.internal:5432"],
    ["service.endpoint.99.tcp", "[fe80::1]:22"],
    ["service.certificate.domain", "example.org, other.example:8443"],
    ["service.update.enabled", "TRUE"],
    ["service.update.track", "patch"],
    ["service.update.pin", "1.27-alpine"],
    ["service.update.ignore_major", "true"],
    ["service.update.registry", "registry.example:5000"],
    ["service.update.alert_on", "critical"],
    ["service.update.digest_only", "0"],
    ["service.update.tag-include", "^v?\\d+\\.\\d+$"],
    ["service.update.tag-exclude", "(?i)-(?P<kind>rc|beta)"],
  ];
  for (const [label, value] of understood) {
    it(`understands ${label}=${value}`, () => assert.deepEqual(parseLabels({ [label]: value }).errors, []));
  }

  it("understands the configuration of an endpoint, bare or indexed", () => {
    const labels = {
      "service.endpoint.http": "http://one",
      "service.endpoint.1.http": "http://two",
      "service.endpoint.interval": "1m30s",
      "service.endpoint.1.timeout": "2500ms",
      "service.endpoint.0.failure-threshold": "5",
      "service.endpoint.recovery-threshold": "1",
      "service.endpoint.http.method": "head",
      "service.endpoint.1.http.expected-status": "200,204,3xx",
      "service.endpoint.http.tls-verify": "false",
      "service.endpoint.http.headers": '{"Authorization":"Bearer abc","X-A":"1"}',
      "service.endpoint.1.http.headers": "X-A=1,X-B=a=b",
      "service.endpoint.http.max-redirects": "0",
      "service.endpoint.http.body-contains": "ok",
    };
    assert.deepEqual(parseLabels(labels).errors, []);
  });

  const withMethod = (method: string) => ({ "service.endpoint.http": "http://a", "service.endpoint.http.method": method });
  const methodOf = ({ endpoints }: ReturnType<typeof parseLabels>) => endpoints[0]?.check.http?.method;

  for (const method of ["options", "POST", "put", "Patch", " delete "]) {
    it(`refuses the method ${method} unless it is allowed, and asks with GET`, () => {
      const refused = parseLabels(withMethod(method));
      assert.equal(methodOf(refused), "GET");
      assert.deepEqual(
        refused.errors.map(({ label }) => label),
        ["service.endpoint.http.method"],
      );
      assert.match(refused.errors[0]?.message ?? "", /^service\.endpoint\.http\.method must be get or head.*SERVICE_LABEL_CHECK_METHODS/);
      const allowed = parseLabels(withMethod(method), [method.trim().toLowerCase()]);
      assert.deepEqual([methodOf(allowed), allowed.errors], [method.trim().toUpperCase(), []]);
    });
  }

  it("names the methods that are allowed, and takes no other", () => {
    const { errors } = parseLabels(withMethod("delete"), ["post"]);
    assert.match(errors[0]?.message ?? "", /must be get, head or post/);
  });

  it("refuses the method of a numbered endpoint too", () => {
    const labels = { ...withMethod("head"), "service.endpoint.1.http": "http://b", "service.endpoint.1.http.method": "delete" };
    const { endpoints, errors } = parseLabels(labels);
    assert.deepEqual(
      endpoints.map(({ check }) => check.http?.method),
      ["HEAD", "HEAD"],
    );
    assert.deepEqual(
      errors.map(({ label }) => label),
      ["service.endpoint.1.http.method"],
    );
  });

  const refused: [Record<string, string>, RegExp][] = [
    [{ "service.ignore": "maybe" }, /^service\.ignore must be true or false\.$/],
    [{ "service.group": "  " }, /must not be empty/],
    [{ "service.group": "x".repeat(300) }, /longer than 255/],
    [{ "service.alert.severity": "loud" }, /one of critical, warning, info/],
    [{ "service.alert.channels": ", ," }, /at least one/],
    [{ "service.alert.channels": Array.from({ length: 21 }, (_, n) => `c${n}`).join(",") }, /more than 20/],
    [{ "service.alert.restart_threshold": "0" }, /from 1 to 1000/],
    [{ "service.alert.restart_threshold": "3.5" }, /whole number/],
    [{ "service.endpoint.http": "ftp://host" }, /begins with http/],
    [{ "service.endpoint.tcp": "host:70000" }, /host:port/],
    [{ "service.endpoint.tcp": "host" }, /host:port/],
    [{ "service.endpoint.http": "http://a", "service.endpoint.interval": "1" }, /duration from 5s to 24h/],
    [{ "service.endpoint.http": "http://a", "service.endpoint.0.tcp": "a:1" }, /second target for endpoint 0/],
    [{ "service.endpoint.2.interval": "30s" }, /without a target; add service\.endpoint\.2\.http/],
    [{ "service.endpoint.100.http": "http://a" }, /index above 99/],
    [
      { "service.endpoint.http": "http://a", "service.endpoint.http.headers": "secret" },
      /^service\.endpoint\.http\.headers must be a JSON object/,
    ],
    [{ "service.endpoint.http": "http://a", "service.endpoint.http.expected-status": "600" }, /each item must be a status/],
    [{ "service.certificate.domain": "ex ample" }, /each item must be a host/],
    [{ "service.endpoint.http": "http://a..b/" }, /names a host/],
    [{ "service.endpoint.http": "http://a:0/" }, /names a host/],
    [{ "service.endpoint.http": "http://a:70000/" }, /names a host/],
    [{ "service.endpoint.tcp": "a..b:80" }, /host:port/],
    [{ "service.endpoint.tcp": "::1:80" }, /host:port/],
    [{ "service.endpoint.tcp": "[::1:80" }, /host:port/],
    [{ "service.endpoint.tcp": "a:0" }, /port from 1 to 65535/],
    [{ "service.endpoint.http": "http://a", "service.endpoint.interval": "soon" }, /interval must be a duration from 5s to 24h/],
    [{ "service.endpoint.http": "http://a", "service.endpoint.http.headers": "Content-Length=5" }, /must not set headers that frame/],
    [{ "service.endpoint.http": "http://a", "service.endpoint.http.headers": '{"X-A":"a\\nb"}' }, /must be a JSON object/],
    [{ "service.endpoint.http": "http://a", "service.endpoint.http.body-contains": " " }, /must not be empty/],
    [{ "service.certificate.domain": "a..b" }, /each item must be a host/],
    [{ "service.certificate.domain": "a:70000" }, /port from 1 to 65535/],
    [
      { "service.certificate.port": "443,8443" },
      /^service\.certificate\.port names a port without a host; add service\.certificate\.domain\.$/,
    ],
    [{ "service.certificate.domain": "a", "service.certificate.port": "0" }, /from 1 to 65535/],
    [{ "service.update.tag-include": "(?=x)" }, /without look-around/],
    [{ "service.update.tag-include": "(" }, /regular expression/],
    [{ "service.alert.severty": "info" }, /not a known label; did you mean service\.alert\.severity\?$/],
    [{ "service.endpoint.3.htttp": "http://a" }, /did you mean service\.endpoint\.http\?$/],
    [{ "service.nothing-like-it-at-all": "" }, /^service\.nothing-like-it-at-all is not a known label\.$/],
    [{ "service.__proto__": "" }, /not a known label/],
    [{ "service.alert.down": "never" }, /must be off, or a duration from 1s to 24h/],
    [{ "service.alert.down": "25h" }, /must be off, or a duration from 1s to 24h/],
  ];
  for (const [labels, message] of refused) {
    it(`refuses ${JSON.stringify(labels).slice(0, 80)}`, () => {
      const { errors, settings } = parseLabels(labels);
      assert.equal(errors.length, 1, JSON.stringify(errors));
      assert.match(errors[0]?.message ?? "", message);
      assert.equal(settings.restartThreshold, 3);
    });
  }

  it("never repeats a value, which may be a secret", () => {
    const { errors } = parseLabels({ "service.endpoint.http": "https://user:hunter2@", "service.endpoint.http.headers": "hunter2" });
    assert.equal(errors.length, 2);
    assert.doesNotMatch(JSON.stringify(errors), /hunter2/);
  });

  it("never throws, and names the label in every error", () => {
    const part = fc.constantFrom(
      "ignore",
      "alert",
      "channels",
      "endpoint",
      "0",
      "17",
      "http",
      "tcp",
      "interval",
      "headers",
      "update",
      "tag-include",
      "",
    );
    const name = fc.oneof(
      fc.array(part).map((parts) => `service.${parts.join(".")}`),
      fc.string({ unit: "binary" }).map((text) => `service.${text}`),
    );
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("true", "1h", "3", "http://a", "a:1", '{"a":"b"}', "{", "(", "[".repeat(5000)),
    );
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 80 }), (labels) => {
        const { errors, settings, endpoints, certificates } = parseLabels(labels);
        assert.ok(errors.length <= 50);
        assert.ok(endpoints.length <= 100 && certificates.length <= 50);
        for (const { labelKey, check } of endpoints) assert.ok(labelKey in labels && check.intervalMs >= 5000);
        for (const { label, message } of errors) {
          assert.ok(Object.keys(labels).some((key) => key.startsWith(label)));
          assert.ok(message.startsWith(label));
        }
        assert.ok(settings.restartThreshold >= 1 && settings.alertChannels.length <= 20);
      }),
      { numRuns: 500 },
    );
  });
});

const COMPOSE_FILES = "com.docker.compose.project.config_files";

describe("a sighting of a container whose labels come from its image", () => {
  const labels = {
    "service.endpoint.http": "http://127.0.0.1/",
    "service.endpoint.http.method": "head",
    "service.alert.severity": "info",
    "service.group": "shop",
    [COMPOSE_FILES]: "/etc/passwd",
    "com.example.team": "a",
  };
  const container = fakeContainer(1, { labels, imageLabels: ["service.endpoint.http", "service.alert.severity", COMPOSE_FILES] });

  it("has none of them, and says of each that it is ignored", () => {
    const seen = toSighting(container);
    assert.deepEqual(seen.endpoints, []);
    assert.equal(seen.settings.alertSeverity, "warning");
    assert.equal(seen.settings.group, "shop");
    assert.deepEqual(Object.keys(seen.labels), ["service.endpoint.http.method", "service.group", "com.example.team"]);
    assert.deepEqual(
      seen.labelErrors.slice(0, 2).map(({ label, message }) => [label, message]),
      ["service.endpoint.http", "service.alert.severity"].map((label) => [
        label,
        `${label} comes from the image and is ignored; write it on the container, or set SERVICE_IMAGE_LABELS=true.`,
      ]),
    );
    assert.ok(!("imageLabels" in seen));
  });

  it("has them where that is allowed, but never the paths of a Compose project", () => {
    const seen = toSighting(container, { ...STRICT_LABELS, imageLabels: true });
    assert.equal(seen.endpoints.length, 1);
    assert.equal(seen.settings.alertSeverity, "info");
    assert.deepEqual(seen.labelErrors, []);
    assert.equal(seen.labels[COMPOSE_FILES], undefined);
  });

  it("says so of a bounded number of them", () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`service.endpoint.${index}.http`, "http://a/"]));
    assert.equal(toSighting(fakeContainer(1, { labels: many, imageLabels: Object.keys(many) })).labelErrors.length, 50);
  });
});
