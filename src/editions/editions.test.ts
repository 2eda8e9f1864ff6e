import assert from "node:assert/strict";
import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { DAY_MS } from "../contract/time.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { fc } from "../../test/support/seed.ts";
import { ServiceError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import { editionView } from "./answers.ts";
import { createEditions, serverModeRefusal, type Editions } from "./index.ts";
import { readLicense } from "./license.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const ISSUER = generateKeyPairSync("ed25519");
const PUBLIC_KEY = ISSUER.publicKey.export({ type: "spki", format: "pem" }).toString();

function inDays(days: number): string {
  return new Date(NOW.getTime() + days * DAY_MS).toISOString();
}

function mint(fields: object = {}, privateKey: KeyObject = ISSUER.privateKey): string {
  const payload = Buffer.from(
    JSON.stringify({ id: "L-1", organisation: "Harbour", edition: "pro", issued_at: inDays(-1), expires_at: inDays(30), ...fields }),
  );
  return `${payload.toString("base64url")}.${sign(null, payload, privateKey).toString("base64url")}`;
}

function setUp(context: TestContext, licenseKey?: string, { buildDate = NOW, dataDir = temporaryFolder(context) } = {}) {
  const clock = createFakeClock(NOW);
  return { clock, dataDir, editions: createEditions({ licenseKey, publicKeyPem: PUBLIC_KEY, dataDir, buildDate, clock, log: silentLog }) };
}

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-editions-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function standing(editions: Editions): string {
  const { edition, licence } = editions.view();
  return `${edition} ${licence.status}`;
}

test("without a licence the Community edition is in force", (context) => {
  const { editions } = setUp(context);
  const view = editionView.parse(editions.view());
  assert.equal(standing(editions), "community none");
  assert.deepEqual(view.history_ranges, ["1h", "6h"]);
  assert.deepEqual(
    view.capabilities.filter(({ granted }) => granted).map(({ name }) => name),
    ["embedded_mode", "history_1h", "history_6h", "channel_webhook", "channel_discord"],
  );
});

const ranges: [string, string[]][] = [
  ["personal", ["1h", "6h"]],
  ["pro", ["1h", "6h", "24h", "7d", "30d"]],
];
for (const [edition, expected] of ranges) {
  test(`a valid ${edition} licence puts ${edition} in force`, (context) => {
    const { editions } = setUp(context, mint({ edition }));
    assert.equal(standing(editions), `${edition} valid`);
    assert.equal(editions.view().organisation, "Harbour");
    assert.equal(editions.view().licence.expires_at, inDays(30));
    assert.deepEqual(editions.historyRanges(), expected);
  });
}

test("the gate names the capability and the edition that grants it", (context) => {
  const { editions } = setUp(context, mint({ edition: "personal" }));
  editions.require("agents");
  assert.throws(
    () => editions.require("escalation"),
    (error) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.code, "EDITION_REQUIRED");
      assert.equal(error.message, "Escalation needs the Pro edition; this instance runs the Personal edition.");
      assert.deepEqual(error.details, { capability: "escalation", required_edition: "pro" });
      return true;
    },
  );
  assert.throws(() => editions.require("flying"), /no capability is called flying/);
});

test("server mode is refused below Personal", () => {
  assert.match(
    serverModeRefusal("community") ?? "",
    /server mode needs the Personal edition or above; this instance runs the Community edition/,
  );
  assert.equal(serverModeRefusal("personal"), undefined);
  assert.equal(serverModeRefusal("pro"), undefined);
});

const invalid: [what: string, key: () => string, message: RegExp][] = [
  ["signed by another issuer", () => mint({}, generateKeyPairSync("ed25519").privateKey), /signature does not match/],
  ["with an altered body", () => mint().replace(/^./, (letter) => (letter === "f" ? "e" : "f")), /signature does not match/],
  ["of one part", () => "abc", /incomplete or mistyped/],
  ["of three parts", () => `${mint()}.x`, /incomplete or mistyped/],
  ["with characters of another alphabet", () => `${mint()}+`, /incomplete or mistyped/],
  ["with padding", () => `${mint()}=`, /incomplete or mistyped/],
  ["that is huge", () => mint({ organisation: "x".repeat(10_000_000) }), /too long/],
  ["of an unknown edition", () => mint({ edition: "galactic" }), /edition that this build does not know/],
  ["without an organisation", () => mint({ organisation: undefined }), /organisation/],
  ["with a date that is none", () => mint({ expires_at: "soon" }), /expires_at/],
  ["issued tomorrow and a half", () => mint({ issued_at: inDays(1.5) }), /in the future: check this host's clock/],
];
for (const [what, key, message] of invalid) {
  test(`a key ${what} is invalid, says why, and grants nothing`, (context) => {
    const { editions } = setUp(context, key());
    assert.equal(standing(editions), "community invalid");
    assert.match(editions.view().licence.message ?? "", message);
  });
}

test("a build without a public key says so", () => {
  assert.match(JSON.stringify(readLicense(mint(), undefined)), /carries no public key/);
});

test("any change of any character makes a key worthless", () => {
  const key = mint();
  fc.assert(
    fc.property(fc.nat({ max: key.length - 1 }), fc.stringMatching(/^[A-Za-z0-9_.-]$/), (index, character) => {
      const changed = key.slice(0, index) + character + key.slice(index + 1);
      assert.equal("fault" in readLicense(changed, PUBLIC_KEY), changed !== key);
    }),
  );
});

test("no text breaks the reading of a key", () => {
  fc.assert(fc.property(fc.string(), (text) => "fault" in readLicense(text, PUBLIC_KEY)));
});

test("a licence that runs out while the program runs drops the edition on time", (context) => {
  const { clock, editions } = setUp(context, mint({ expires_at: inDays(30) }));
  const at: [days: number, expected: string][] = [
    [30 - 1 / DAY_MS, "pro valid"],
    [30, "pro grace"],
    [44 - 1 / DAY_MS, "pro grace"],
    [44, "community expired"],
    [4000, "community expired"],
    // A clock that was wrong and is set right restores what holds at that time.
    [0, "pro valid"],
    [-1, "pro valid"],
    [-2.1, "community invalid"],
  ];
  for (const [days, expected] of at) {
    clock.jump(new Date(inDays(days)));
    assert.equal(standing(editions), expected, `after ${days} days`);
  }
});

test("a build later than the licence's updates holds for 30 days from its first run, restarts included", (context) => {
  const key = mint({ updates_until: inDays(-1), expires_at: inDays(300) });
  const first = setUp(context, key);
  assert.equal(standing(first.editions), "pro grace");
  const file = join(first.dataDir, "update-window.json");
  assert.equal(statSync(file).mode & 0o777, 0o600);

  const again = setUp(context, key, { dataDir: first.dataDir });
  again.clock.jump(new Date(inDays(29.9)));
  assert.equal(standing(again.editions), "pro grace");
  again.clock.jump(new Date(inDays(30)));
  assert.equal(standing(again.editions), "community expired");
  again.editions.reload(key);
  assert.equal(standing(again.editions), "community expired", "the window does not open twice");
  again.editions.reload(mint({ id: "L-2", updates_until: inDays(365), expires_at: inDays(365) }));
  assert.equal(standing(again.editions), "pro valid");
});

test("a build within the licence's updates opens no window", (context) => {
  const { editions, dataDir } = setUp(context, mint({ updates_until: inDays(0) }));
  assert.equal(standing(editions), "pro valid");
  assert.throws(() => statSync(join(dataDir, "update-window.json")), /ENOENT/);
});

test("a verified key is kept for starts without one, readable by its user alone", (context) => {
  const { dataDir } = setUp(context, mint());
  const file = join(dataDir, "licence.json");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(standing(setUp(context, undefined, { dataDir }).editions), "pro valid");

  chmodSync(file, 0o644);
  setUp(context, mint({ edition: "personal" }), { dataDir });
  assert.equal(statSync(file).mode & 0o777, 0o600, "a replaced file does not keep a wider mode");
  assert.equal(standing(setUp(context, undefined, { dataDir }).editions), "personal valid");
});

test("a bad key is not kept, and a bad or huge cache is ignored", (context) => {
  const { dataDir } = setUp(context, mint());
  const before = readFileSync(join(dataDir, "licence.json"), "utf8");
  assert.equal(standing(setUp(context, "nonsense", { dataDir }).editions), "community invalid");
  assert.equal(readFileSync(join(dataDir, "licence.json"), "utf8"), before);
  for (const content of ["{", "[]", `{"key":7}`, " ".repeat(5_000_000)]) {
    writeFileSync(join(dataDir, "licence.json"), content);
    assert.equal(standing(setUp(context, undefined, { dataDir }).editions), "community none");
  }
});

test("a folder that cannot be written costs the record, not the licence", (context) => {
  const { dataDir } = setUp(context);
  writeFileSync(join(dataDir, "file"), "");
  assert.equal(standing(setUp(context, mint(), { dataDir: join(dataDir, "file", "below") }).editions), "pro valid");
});
