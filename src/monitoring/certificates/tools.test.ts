import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { scanOf, startCertificates, unreachable, type WatchedCertificates } from "../../../test/support/certificates.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { callTool, checkTools } from "../../../test/support/tools.ts";
import { until } from "../../../test/support/until.ts";
import { httpCheck, labelled } from "../../../test/support/endpoints.ts";
import { systemClock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import type { CertificateRecord } from "./answers.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const inDays = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);

describe("the tools of certificates", () => {
  const clock = createFakeClock(NOW);
  let database: Database;
  let watched: WatchedCertificates;

  const call = (args: Record<string, unknown> = {}) => callTool(watched.certificates.tools(), "list_certificates", args);
  const domains = async (args: Record<string, unknown> = {}): Promise<string[]> =>
    ((await call(args))["certificates"] as CertificateRecord[]).map(({ domain }) => domain);

  before(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/tools.db`, clock: systemClock, log: silentLog });
    await database.start();
    watched = await startCertificates({ database, clock });
    for (const [domain, scan] of [
      ["good.test", scanOf({ expiresAt: inDays(80) })],
      ["soon.test", scanOf({ expiresAt: inDays(5) })],
      ["over.test", scanOf({ expiresAt: inDays(-2) })],
      ["wrong.test", scanOf({ expiresAt: inDays(80), chainValid: false, chainError: "The certificate signs itself." })],
      ["away.test", unreachable],
    ] as const) {
      watched.shows(scan);
      await watched.create({ domain });
    }
    watched.shows(scanOf({ expiresAt: inDays(60) }));
    await watched.show({
      endpoints: [labelled("service.endpoint.http", httpCheck({ target: "https://web.test/" }))],
      certificates: [{ domain: "label.test", port: 443, serverName: "label.test" }],
    });
    await clock.advance(60_000);
    await until(() => watched.list({ status: "valid" }).length === 3);
  });
  after(async () => {
    await watched.stop();
    await database.stop();
  });

  it("are declared", () => checkTools(watched.certificates.tools()));

  it("list what needs somebody first, with the days that are left and what is wrong", async () => {
    const listed = await call();
    assert.deepEqual(await domains(), ["over.test", "wrong.test", "soon.test", "away.test", "label.test", "web.test", "good.test"]);
    const [over, wrong, soon, away] = listed["certificates"] as CertificateRecord[];
    assert.partialDeepStrictEqual(over, { status: "expired", alerting: ["expired"], expires_at: inDays(-2).toISOString() });
    assert.match(wrong?.message ?? "", /signs itself/);
    assert.partialDeepStrictEqual(soon, { status: "expiring", days_until_expiry: 4, status_since: NOW.toISOString() });
    assert.partialDeepStrictEqual(away, { status: "unreachable", last_error: "web.test:443 refused the connection." });
    assert.deepEqual(listed["counts"], { valid: 3, expiring: 1, expired: 1, chain_invalid: 1, unreachable: 1, unknown: 0 });
    assert.deepEqual([listed["total"], listed["next_cursor"]], [7, null]);
  });

  const filters: [args: Record<string, unknown>, expected: string[]][] = [
    [{ status: "expired" }, ["over.test"]],
    [{ expires_within_days: 4 }, ["over.test", "soon.test"]],
    [{ expires_within_days: 3 }, ["over.test"]],
    [{ endpoint_id: 1 }, ["web.test"]],
    [{ container_id: 1 }, ["label.test"]],
    [{ container_id: 2 }, []],
    [{ search: "GOOD" }, ["good.test"]],
    [{ agent_id: "local", limit: 1 }, ["over.test"]],
    [{ agent_id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff" }, []],
    [{ limit: 2, cursor: "after-6" }, ["good.test"]],
  ];
  for (const [args, expected] of filters) {
    it(`list by ${JSON.stringify(args)}`, async () => assert.deepEqual(await domains(args), expected));
  }

  it("say what is wrong with a question", async () => {
    await assert.rejects(call({ cursor: "2" }), (error) => isServiceError(error, "invalid_request"));
    for (const args of [{ status: "fine" }, { expires_within_days: -1 }, { limit: 500 }, { domain: "x" }])
      await assert.rejects(call(args), { name: "ZodError" }, JSON.stringify(args));
  });
});
