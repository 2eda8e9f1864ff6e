import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "../../../test/support/seed.ts";
import { appearsLocal, type PublicUrl, publicUrlOf } from "./public-url.ts";

const LOCAL = "public_url_appears_local";
const PLAINTEXT = "public_url_plaintext_refused";

interface Row {
  what: string;
  configured?: string;
  trusted?: boolean;
  headers: Record<string, string | string[]>;
  answer: [url: string, source: PublicUrl["source"], ...warnings: string[]];
}

const HOST = { host: "monitor.example.org" };
const FORWARDED = { host: "10.0.0.5:8080", "x-forwarded-host": "hosts.example.org" };

const rows: Row[] = [
  { what: "the host that was asked for", headers: HOST, answer: ["grpcs://monitor.example.org:443", "host"] },
  {
    what: "not its port: the API listens there",
    headers: { host: "monitor.example.org:8080" },
    answer: ["grpcs://monitor.example.org:443", "host"],
  },
  { what: "in one spelling", headers: { host: "MONITOR.Example.ORG" }, answer: ["grpcs://monitor.example.org:443", "host"] },
  { what: "a trusted proxy's word", trusted: true, headers: FORWARDED, answer: ["grpcs://hosts.example.org:443", "proxy"] },
  {
    what: "with its port",
    trusted: true,
    headers: { ...HOST, "x-forwarded-host": "hosts.example.org:8443" },
    answer: ["grpcs://hosts.example.org:8443", "proxy"],
  },
  {
    what: "port 80 is a port",
    trusted: true,
    headers: { ...HOST, "x-forwarded-host": "hosts.example.org:80" },
    answer: ["grpcs://hosts.example.org:80", "proxy"],
  },
  {
    what: "nobody else's word",
    headers: { ...HOST, "x-forwarded-host": "evil.example" },
    answer: ["grpcs://monitor.example.org:443", "host"],
  },
  {
    what: "the last of several: the others are the client's",
    trusted: true,
    headers: { ...HOST, "x-forwarded-host": "evil.example, hosts.example.org" },
    answer: ["grpcs://hosts.example.org:443", "proxy"],
  },
  {
    what: "the last header of several",
    trusted: true,
    headers: { ...HOST, "x-forwarded-host": ["evil.example", "hosts.example.org"] },
    answer: ["grpcs://hosts.example.org:443", "proxy"],
  },
  {
    what: "nonsense forwarded: the host",
    trusted: true,
    headers: { ...HOST, "x-forwarded-host": "a b" },
    answer: ["grpcs://monitor.example.org:443", "host"],
  },
  {
    what: "a path is nonsense",
    trusted: true,
    headers: { ...HOST, "x-forwarded-host": "evil.example/x" },
    answer: ["grpcs://monitor.example.org:443", "host"],
  },
  {
    what: "a user is nonsense",
    trusted: true,
    headers: { ...HOST, "x-forwarded-host": "user@evil.example" },
    answer: ["grpcs://monitor.example.org:443", "host"],
  },
  {
    what: "port 0 is nonsense",
    trusted: true,
    headers: { ...HOST, "x-forwarded-host": "evil.example:0" },
    answer: ["grpcs://monitor.example.org:443", "host"],
  },
  {
    what: "what a shell would run is nonsense",
    headers: { host: "$(reboot).example.org" },
    answer: ["grpcs://localhost:443", "host", LOCAL],
  },
  { what: "an IPv6 address", headers: { host: "[2001:4860:4860::8888]:8080" }, answer: ["grpcs://[2001:4860:4860::8888]:443", "host"] },
  { what: "no host at all", headers: {}, answer: ["grpcs://localhost:443", "host", LOCAL] },
  {
    what: "plaintext is refused",
    trusted: true,
    headers: { ...FORWARDED, "x-forwarded-proto": "grpc" },
    answer: ["grpcs://hosts.example.org:443", "proxy", PLAINTEXT],
  },
  {
    what: "not who is no trusted proxy",
    headers: { ...HOST, "x-forwarded-proto": "GRPC" },
    answer: ["grpcs://monitor.example.org:443", "host"],
  },
  {
    what: "plaintext among others is refused",
    trusted: true,
    headers: { ...HOST, "x-forwarded-proto": "https, grpc" },
    answer: ["grpcs://monitor.example.org:443", "host", PLAINTEXT],
  },
  {
    what: "https asks for nothing",
    headers: { ...HOST, "x-forwarded-proto": "https" },
    answer: ["grpcs://monitor.example.org:443", "host"],
  },
  {
    what: "grpcs asks for nothing",
    headers: { ...HOST, "x-forwarded-proto": "grpcs" },
    answer: ["grpcs://monitor.example.org:443", "host"],
  },
  {
    what: "both warnings",
    trusted: true,
    headers: { host: "127.0.0.1:8080", "x-forwarded-proto": "grpc" },
    answer: ["grpcs://127.0.0.1:443", "host", LOCAL, PLAINTEXT],
  },
  { what: "loopback written as a number", headers: { host: "2130706433" }, answer: ["grpcs://127.0.0.1:443", "host", LOCAL] },
  {
    what: "what is configured, whatever the headers",
    configured: "grpcs://agents.example.org:8443",
    trusted: true,
    headers: { ...FORWARDED, "x-forwarded-proto": "grpc" },
    answer: ["grpcs://agents.example.org:8443", "configured"],
  },
  {
    what: "a private address, configured",
    configured: "grpcs://10.1.2.3:443",
    headers: HOST,
    answer: ["grpcs://10.1.2.3:443", "configured", LOCAL],
  },
  {
    what: "a private IPv6 address, configured",
    configured: "grpcs://[fd00::1]:443",
    headers: HOST,
    answer: ["grpcs://[fd00::1]:443", "configured", LOCAL],
  },
];

describe("the public address for agents", () => {
  for (const { what, configured, trusted = false, headers, answer } of rows) {
    it(what, () => {
      const { url, source, warnings } = publicUrlOf({ configured, headers, isPeerTrusted: trusted, fallbackHost: "localhost" });
      assert.deepEqual([url, source, ...warnings], answer);
    });
  }

  it("can hold nothing but a host and a port", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), fc.boolean(), (text, trusted) => {
        const headers = trusted ? { ...HOST, "x-forwarded-host": text } : { host: text };
        const { url } = publicUrlOf({ configured: undefined, headers, isPeerTrusted: trusted, fallbackHost: "localhost" });
        assert.match(url, /^grpcs:\/\/(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\]):\d{1,5}$/);
      }),
      { numRuns: 500 },
    );
  });
});

const local = [
  "localhost",
  "127.0.0.1",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.9.9",
  "192.168.1.1",
  "169.254.1.1",
  "100.64.0.1",
  "[::1]",
  "[fe80::1]",
  "[fc00::1]",
  "[::ffff:10.0.0.1]",
  "nas",
  "nas.local",
  "nas.lan",
  "db.internal",
  "x.home.arpa",
  "a.localhost",
  "nas.local.",
];
const elsewhere = ["example.org", "8.8.8.8", "172.32.0.1", "[2a00::1]", "local.example.org", "lan.com", "[::ffff:8.8.8.8]"];

describe("what appears local", () => {
  for (const host of local) it(host, () => assert.equal(appearsLocal(host), true));
  for (const host of elsewhere) it(`not ${host}`, () => assert.equal(appearsLocal(host), false));
});
