import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { ActiveAlerts } from "../../src/alerting/alerts/answers.ts";
import type { Health } from "../../src/app/meta/answers.ts";
import type { EditionView } from "../../src/editions/answers.ts";
import type { AgentList } from "../../src/fleet/agents/answers.ts";
import type { McpView } from "../../src/mcp/server/answers.ts";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import type { History, Top } from "../../src/monitoring/resources/answers.ts";
import type { ScanRecord, UpdateList } from "../../src/monitoring/updates/answers.ts";
import type { AlertCaseRecord, PastChangeList } from "../../src/publishing/overview/answers.ts";
import { type Program, startProgram, temporaryFolder } from "../support/program.ts";
import { until } from "../support/until.ts";

/** Says on the error output what it connects to. */
const WATCHED = new URL("../support/outbound-log.mjs", import.meta.url).pathname;

/** The demo, on a machine without any engine. */
describe("the demo", () => {
  const temporary = temporaryFolder();
  let program: Program;
  before(async () => {
    program = await startProgram({ env: { SERVICE_DEMO: "true", TMPDIR: temporary, NODE_OPTIONS: `--import ${WATCHED}` } });
  });
  after(() => program?.stop());

  it("says that it is a demo", async () => {
    const health = await program.get<Health>("/api/v1/health");
    assert.equal(health.demo, true);
    assert.equal(health.runtime.connected, true);
  });

  it("offers assistants nothing that it refuses", async () => {
    const { stdio } = await program.get<McpView>("/api/v1/mcp");
    assert.equal(stdio.available, false);
    assert.match(stdio.reason ?? "", /demo/);
  });

  it("shows two hosts and forty containers, with every feature", async () => {
    const list = await until(async () => {
      const { groups } = await program.get<ContainerList>("/api/v1/containers?limit=100");
      const containers = groups.flatMap((group) => group.containers);
      return containers.length >= 40 ? containers : undefined;
    });
    assert.equal(list.length, 40);
    assert.equal(new Set(list.map(({ agent_id }) => agent_id)).size, 2);
    const { agents } = await program.get<AgentList>("/api/v1/agents");
    assert.deepEqual(
      agents.map(({ hostname, connection_state: state }) => [hostname, state]),
      [["office-01", "connected"]],
    );
    const { edition, licence } = await program.get<EditionView>("/api/v1/edition");
    assert.deepEqual([edition, licence.status], ["pro", "none"]);
  });

  it("has a present outage, with its alerts", async () => {
    const { alerts } = await until(async () => {
      const active = await program.get<ActiveAlerts>("/api/v1/alerts/active");
      return active.alerts.some(({ entity_name }) => entity_name === "shop-payments") ? active : undefined;
    });
    assert.ok(alerts.some(({ entity_name, severity }) => entity_name === "shop-payments" && severity === "critical"));
  });

  it("shows what a failed health check printed", async () => {
    const { alerts } = await program.get<ActiveAlerts>("/api/v1/alerts/active");
    const unhealthy = alerts.find(({ event }) => event === "health_unhealthy");
    const known = await program.get<AlertCaseRecord>(`/api/v1/alerts/${unhealthy?.id ?? 0}/case`);
    assert.match(known.health_check?.lines.join() ?? "", /503 Service Unavailable/);
  });

  it("knows newer images, with the command, and a scan finds them again", async () => {
    const { updates } = await program.get<UpdateList>("/api/v1/updates?limit=100");
    const available = updates.filter(({ status }) => status === "available");
    assert.ok(available.length > 15);
    assert.ok(updates.every(({ status, check_error: error }) => status !== "unknown" && error === null));
    const payments = available.find(({ container_name: name }) => name === "shop-payments");
    assert.equal(payments?.available_tag, "2.15.1");
    const begun = await fetch(`${program.url}/api/v1/updates/scan`, { method: "POST" });
    const { scan_id: id } = (await begun.json()) as ScanRecord;
    const scan = await until(async () => {
      const now = await program.get<ScanRecord>(`/api/v1/updates/scan/${id}`);
      return now.status === "running" ? undefined : now;
    });
    assert.deepEqual([scan.status, scan.errors], ["completed", []]);
  });

  it("shows the image that broke payments among what changed", async () => {
    const { changes } = await program.get<PastChangeList>("/api/v1/overview/changes?limit=500");
    const changed = changes.find(({ kind, entity }) => kind === "image_changed" && entity.name === "shop-payments");
    assert.match(changed?.to ?? "", /payments:2\.15\.0$/);
  });

  it("has figures without a hole up to now", async () => {
    const { groups } = await program.get<ContainerList>("/api/v1/containers?limit=100");
    const id = groups.flatMap((group) => group.containers).find(({ name }) => name === "shop-postgres")?.id ?? 0;
    const { series } = await program.get<History>(`/api/v1/containers/${id}/resources/history?range=6h`);
    const missing = series.timestamps.slice(1, -2).filter((_, index) => series.memory_bytes[index + 1] === null);
    assert.deepEqual(missing, []);
  });

  it("has figures that move", async () => {
    const used = await until(
      async () => {
        const { consumers } = await program.get<Top>("/api/v1/resources/top?sort=cpu");
        return consumers.length > 0 ? consumers : undefined;
      },
      { withinMs: 40_000 },
    );
    assert.ok(used.every(({ percent }) => percent !== null && percent > 0 && percent <= 100));
  });

  it("has a container that has eaten memory since yesterday", async () => {
    const { consumers, yesterday } = await program.get<Top>("/api/v1/resources/top?sort=memory&by=growth&limit=100");
    assert.notEqual(yesterday, null);
    const [first] = consumers;
    assert.equal(first?.name, "shop-recommendations");
    assert.ok((first.since_yesterday?.change ?? 0) > 250 * 1024 ** 2, JSON.stringify(first));
    assert.ok(consumers.every(({ since_yesterday: since }) => since?.state === "measured"));
  });

  it("contacts nothing, and leaves nothing behind", async () => {
    assert.equal(readdirSync(temporary).length, 1);
    assert.equal(await program.stop(), 0);
    assert.deepEqual(readdirSync(temporary), []);
    // Where it listens itself, which shows too that it is watched.
    assert.deepEqual(program.log().match(/OUTBOUND .*/g), ["OUTBOUND lookup 127.0.0.1"]);
    assert.doesNotMatch(program.log(), /"level":"(?:error|warn)"/);
  });
});
