import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endpointRecord } from "./record.fixture.ts";
import { areShownAtFields } from "../../ui/forms/server-faults.ts";
import { byField, draftOf, fieldsOf, NEW_ENDPOINT, newEndpoint, readDraft, type EndpointDraft } from "./draft.ts";

const READY = { ...NEW_ENDPOINT, target: "https://shop.example.com/" };

describe("the draft of an endpoint", () => {
  const faultsOf = (part: Partial<EndpointDraft>): Readonly<Record<string, string>> => {
    const read = readDraft({ ...READY, ...part }, undefined);
    return "faults" in read ? read.faults : {};
  };
  const fields = (part: Partial<EndpointDraft>) => Object.keys(faultsOf(part));

  it("becomes the body that the server takes", () => {
    assert.deepEqual(readDraft({ ...READY, statuses: "204, 3XX 204", headers: [{ key: 0, name: " X-Token ", value: "a b" }] }, undefined), {
      body: {
        type: "http",
        target: "https://shop.example.com/",
        interval_seconds: 30,
        timeout_seconds: 10,
        failure_threshold: 3,
        recovery_threshold: 2,
        method: "GET",
        expected_status: ["204", "3xx"],
        tls_verify: true,
        headers: { "X-Token": "a b" },
        max_redirects: 5,
        body_contains: null,
      },
    });
  });

  it("begins with what is to be checked, by its kind", () => {
    assert.deepEqual(newEndpoint(), NEW_ENDPOINT);
    assert.deepEqual(newEndpoint("https://shop.example.com/cart"), { ...NEW_ENDPOINT, target: "https://shop.example.com/cart" });
    assert.deepEqual(newEndpoint("db.example.com:5432"), { ...NEW_ENDPOINT, type: "tcp", target: "db.example.com:5432" });
  });

  it("keeps masked values and alert settings of one that is edited", () => {
    const record = endpointRecord();
    const read = readDraft(draftOf(record), record);
    assert.ok("body" in read && read.body.type === "http");
    assert.deepEqual(read.body.headers, { Authorization: "********" });
    assert.deepEqual(read.body.alert_tags, ["shop"]);
  });

  it("leaves out of a TCP check what is for HTTP", () => {
    const read = readDraft({ ...READY, type: "tcp", target: "[::1]:5432", statuses: "wrong" }, undefined);
    assert.ok("body" in read);
    assert.ok(!("method" in read.body));
    assert.equal(read.body.target, "[::1]:5432");
  });

  it("names the field at fault, by the server's rules", () => {
    assert.deepEqual(fields({ target: "shop.example.com" }), ["target"]);
    assert.deepEqual(fields({ target: "ftp://shop" }), ["target"]);
    assert.deepEqual(fields({ type: "tcp", target: "db:70000" }), ["target"]);
    assert.deepEqual(fields({ type: "tcp", target: "::1:5432" }), ["target"]);
    assert.deepEqual(fields({ interval: "4" }), ["interval_seconds", "timeout_seconds"]);
    assert.deepEqual(fields({ timeout: "1.5" }), ["timeout_seconds"]);
    assert.deepEqual(fields({ interval: "5", timeout: "6" }), ["timeout_seconds"]);
    assert.deepEqual(fields({ failureThreshold: "0", recoveryThreshold: "101" }), ["failure_threshold", "recovery_threshold"]);
    assert.deepEqual(fields({ statuses: "2xx, 600" }), ["expected_status"]);
    assert.deepEqual(fields({ maxRedirects: "21" }), ["max_redirects"]);
    assert.deepEqual(fields({ headers: [{ key: 0, name: "Host name", value: "x" }] }), ["headers"]);
    assert.deepEqual(fields({ headers: [{ key: 0, name: "Connection", value: "x" }] }), ["headers"]);
    assert.deepEqual(
      fields({
        headers: [
          { key: 0, name: "A", value: "1" },
          { key: 1, name: "a", value: "2" },
        ],
      }),
      ["headers"],
    );
    assert.deepEqual(fields({ headers: [{ key: 0, name: "", value: "" }] }), []);
  });

  it("brings the server's faults to their fields", () => {
    assert.deepEqual(byField({ "headers.X-Token": "no", target: "wrong" }), { headers: "no", target: "wrong" });
  });

  it("knows where a fault can stand", () => {
    const shown = (type: "http" | "tcp", path: string): boolean => areShownAtFields({ [path]: "no" }, fieldsOf(type));
    assert.equal(shown("http", "expected_status"), true);
    assert.equal(shown("tcp", "expected_status"), false);
    assert.equal(shown("http", "failure_threshold"), true);
    assert.equal(shown("http", "tls_verify"), false);
    assert.equal(shown("http", "alert_channels"), false);
  });
});
