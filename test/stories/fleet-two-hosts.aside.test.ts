import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { AlertRecord } from "../../src/alerting/alerts/api.ts";
import type { ActiveAlerts } from "../../src/alerting/alerts/answers.ts";
import type { AgentMetrics, AgentRecord } from "../../src/fleet/agents/answers.ts";
import type { CreatedToken } from "../../src/fleet/enrollment/answers.ts";
import type { CertificateDetail, CertificateList } from "../../src/monitoring/certificates/answers.ts";
import type { ContainerRecord } from "../../src/monitoring/containers/api.ts";
import type { ContainerList, ContainerLogs } from "../../src/monitoring/containers/answers.ts";
import type { CheckList, EndpointList } from "../../src/monitoring/endpoints/answers.ts";
import type { History, Hosts, Snapshot, Top } from "../../src/monitoring/resources/answers.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { openPostgres } from "../../src/storage/postgres.ts";
import { openSqlite } from "../../src/storage/sqlite.ts";
import { connectedAgent, makeToken, type ServerProgram } from "../support/agent-program.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { listen, type Listener } from "../support/event-source.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { type InstalledAgent, installByCompose, installByDockerRun, startServerFor } from "../support/installed-agent.ts";
import { buildProductImage } from "../support/product-image.ts";
import { temporaryFolder } from "../support/program.ts";
import { makeIdentity } from "../support/receivers.ts";
import { allRows } from "../support/rows.ts";
import { type SecondHost, startSecondHost } from "../support/two-hosts.ts";
import { until } from "../support/until.ts";

/** Within the limits of the API. */
const SOON = { withinMs: 45_000, everyMs: 200 };
/** The address of the second host's own bridge: nobody else reaches what listens there. */
const BRIDGE = "172.17.0.1";
const PORTS = { http: 8081, tls: 4433 };

describe("a server and an agent on two hosts", () => {
  let host: SecondHost;
  let home: TestEngine;
  let identity: string;

  before(async () => {
    [host, home] = await Promise.all([startSecondHost(), startEngine({ own: true })]);
    await Promise.all([importBusybox(home), importBusybox(host.engine), buildProductImage(host.engine, "binnacle")]);
    const { cert, key } = await makeIdentity([BRIDGE]);
    identity = join(temporaryFolder(), "identity.pem");
    writeFileSync(identity, cert + key);
    await host.shell(`openssl s_server -accept ${BRIDGE}:${PORTS.tls} -cert '${identity}' -key '${identity}' -www > /dev/null 2>&1 &`);
  });
  after(async () => {
    await host?.stop();
    await home?.stop();
  });

  /** From the outside: what is printed is pasted, and the API is asked. */
  function story(databaseEnv: () => Promise<Record<string, string>>): void {
    let server: ServerProgram;
    let env: Record<string, string>;
    let there: TestContainers;
    let here: TestContainers;
    let live: Listener;
    let installed: InstalledAgent;
    let agent: AgentRecord;
    let shop: ContainerRecord;

    before(async () => {
      const databases = await databaseEnv();
      env = { SERVICE_EMBEDDED_AGENT: "true", SERVICE_DOCKER_HOST: home.host, SERVICE_CONTAINER_DOWN_AFTER: "1s", ...databases };
      server = await startServerFor(host, env);
      live = await listen(`${server.url}/api/v1/containers/events`);
      [there, here] = [createTestContainers(host.engine), createTestContainers(home)];
    });
    after(async () => {
      live?.close();
      await server?.stop();
      await here?.removeAll();
      await host.shell("docker ps -aq | xargs -r docker rm -f; docker volume prune -f");
    });

    async function send<Body>(method: string, path: string, wanted: number): Promise<Body> {
      const answer = await fetch(server.url + path, { method });
      const text = await answer.text();
      assert.equal(answer.status, wanted, `${method} ${path}: ${text}`);
      // What the test asks for is what the route answers.
      return (text === "" ? {} : JSON.parse(text)) as Body;
    }
    const containersOf = async (filter: string): Promise<ContainerRecord[]> =>
      (await server.get<ContainerList>(`/api/v1/containers?agent_id=${filter}`)).groups.flatMap(({ containers }) => containers);
    const named = (filter: string, name: string): Promise<ContainerRecord> =>
      until(async () => (await containersOf(filter)).find((each) => each.name === name), SOON);

    it("enrolls by what the server prints, as a healthy container without root", async () => {
      const token: CreatedToken = await makeToken(server);
      assert.deepEqual(token.warnings, ["public_url_appears_local"]);
      const install = env["SERVICE_DATABASE_URL"] === undefined ? installByCompose : installByDockerRun;
      installed = await install(host, token);
      agent = await connectedAgent(server, { withinMs: 60_000 });
      assert.partialDeepStrictEqual(agent, { label: host.hostname, hostname: host.hostname, runtime: "docker", status: "active" });
      assert.equal(
        await installed.inspect(
          "{{.Config.User}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.Memory}} {{.HostConfig.RestartPolicy.Name}}",
        ),
        `1000:1000 true ${256 * 1024 * 1024} unless-stopped`,
      );
      assert.equal(await installed.exec("node", "/app/main.js", "healthcheck"), "");
    });

    it("shows the containers of both hosts, each with where it is from", async () => {
      const labels = {
        "service.endpoint.http": `http://${BRIDGE}:${PORTS.http}/`,
        "service.endpoint.interval": "5s",
        "service.certificate.domain": `${BRIDGE}:${PORTS.tls}`,
        "service.alert.channels": "nobody",
      };
      const flags = Object.entries(labels).flatMap(([key, value]) => ["--label", `${key}=${value}`]);
      const serve = "mkdir /tmp/www; echo open > /tmp/www/index.html; echo ready; httpd -f -v -p 80 -h /tmp/www";
      await there.run("shop", ["-p", `${BRIDGE}:${PORTS.http}:80`, ...flags], "sh", "-c", serve);
      await here.run("desk");
      shop = await until(async () => {
        const seen = await named(agent.id, `${there.prefix}-shop`);
        return seen.state === "running" ? seen : undefined;
      }, SOON);
      assert.partialDeepStrictEqual(shop, { agent_id: agent.id, label_errors: [] });
      const desk = await named("local", `${here.prefix}-desk`);
      assert.equal(desk.agent_id, null);
      const [remote, local] = [await containersOf(agent.id), await containersOf("local")];
      assert.ok(remote.every(({ agent_id }) => agent_id === agent.id) && local.every(({ agent_id }) => agent_id === null));
      assert.ok(
        remote.some(({ image }) => image === "binnacle"),
        "the agent sees itself",
      );
    });

    it("shows what the other host and its containers use", async () => {
      const about = await until(
        async () => (await server.get<Hosts>("/api/v1/resources/hosts")).hosts.find((each) => each.agent_id === agent.id && each.available),
        SOON,
      );
      assert.equal(about.hostname, host.hostname);
      assert.ok((about.memory_total_bytes ?? 0) > 0 && (about.disk_total_bytes ?? 0) > 0 && (about.cpu_count ?? 0) > 0);
      assert.ok(about.running_containers >= 2);
      const now = await until(async () => {
        const snapshot = await server.get<Snapshot>(`/api/v1/containers/${shop.id}/resources/current`);
        return snapshot.memory_bytes !== null && snapshot.cpu_percent !== null ? snapshot : undefined;
      }, SOON);
      assert.ok((now.memory_bytes ?? 0) > 0);
      await until(async () => {
        const { series } = await server.get<History>(`/api/v1/containers/${shop.id}/resources/history?range=1h`);
        return series.memory_bytes.some((value) => value !== null);
      }, SOON);
      const { consumers } = await server.get<Top>(`/api/v1/resources/top?sort=memory&limit=100&agent_id=${agent.id}`);
      assert.ok(consumers.some(({ container_id }) => container_id === shop.id));
      assert.ok(consumers.every(({ agent_id }) => agent_id === agent.id));
    });

    it("asks the endpoint of a label from over there", async () => {
      const endpoint = await until(async () => {
        const { endpoints } = await server.get<EndpointList>(`/api/v1/endpoints?agent_id=${agent.id}`);
        return endpoints.find(({ container_id, status }) => container_id === shop.id && status === "up");
      }, SOON);
      assert.equal(endpoint.agent_id, agent.id);
      const { checks } = await server.get<CheckList>(`/api/v1/endpoints/${endpoint.id}/checks`);
      assert.deepEqual([checks[0]?.http_status, checks[0]?.replayed], [200, false]);
    });

    it("looks at the certificate of a label from over there", async () => {
      const { id } = await until(
        async () => {
          const { certificates } = await server.get<CertificateList>(`/api/v1/certificates?agent_id=${agent.id}`);
          return certificates.find(({ domain, fingerprint_sha256 }) => domain === BRIDGE && fingerprint_sha256 !== null);
        },
        { ...SOON, withinMs: 90_000 },
      );
      const { certificate, latest_check: check } = await server.get<CertificateDetail>(`/api/v1/certificates/${id}`);
      assert.partialDeepStrictEqual(certificate, { agent_id: agent.id, port: PORTS.tls, source: "label", status: "chain_invalid" });
      assert.match(check?.subject ?? "", /receiver/);
      assert.equal(check?.hostname_match, true);
    });

    it("reads logs of the other host, and follows them", async () => {
      const { lines } = await server.get<ContainerLogs>(`/api/v1/containers/${shop.id}/logs`);
      assert.ok(lines.some(({ text }) => text === "ready"));
      const log = await listen(`${server.url}/api/v1/containers/${shop.id}/logs/stream?lines=1`);
      try {
        await host.engine.docker("exec", shop.external_id, "sh", "-c", "echo closing soon > /proc/1/fd/1");
        await log.wait(({ type, data }) => type === "log" && data["text"] === "closing soon");
      } finally {
        log.close();
      }
    });

    it("raises an alert for a container over there, and says when it is over", async () => {
      await host.endContainer(shop.external_id);
      const isOfShop = ({ entity_type, entity_id, event }: AlertRecord): boolean =>
        entity_type === "container" && entity_id === String(shop.id) && event === "down";
      const active = async (): Promise<AlertRecord | undefined> =>
        (await server.get<ActiveAlerts>("/api/v1/alerts/active")).alerts.find(isOfShop);
      const alert = await until(active, SOON);
      assert.equal(alert.agent_id, agent.id);
      await live.wait(
        ({ type, data }) =>
          type === "container.state_changed" && data["agent_id"] === agent.id && data["id"] === shop.id && data["state"] === "exited",
      );
      await host.engine.docker("start", shop.external_id);
      await until(async () => (await active()) === undefined, SOON);
      assert.equal((await server.get<AlertRecord>(`/api/v1/alerts/${alert.id}`)).resolved_by, "auto");
    });

    it("closes the stream of an agent that is revoked at once, and the agent tries no more", async () => {
      const isHealthy = (): Promise<boolean> =>
        installed.exec("node", "/app/main.js", "healthcheck").then(
          () => true,
          (error: Error) => {
            assert.match(error.message, /the agent has stopped: .*revoked/);
            return false;
          },
        );
      assert.equal(await isHealthy(), true);
      await until(async () => (await installed.inspect("{{.State.Health.Status}}")) === "healthy", SOON);
      const revoked = await send<AgentRecord>("POST", `/api/v1/agents/${agent.id}/revoke`, 200);
      assert.deepEqual([revoked.status, revoked.connection_state], ["revoked", "disconnected"]);
      await until(async () => /The server has revoked this agent/.test(await installed.log()), SOON);
      const streams = async (): Promise<number | undefined> =>
        (await server.get<AgentMetrics>("/api/v1/agents/metrics")).agents.find(({ id }) => id === agent.id)?.streams;
      const opened = await streams();
      // Its health check learns of it when the agent next writes how it is: long after it would have tried again.
      await until(async () => !(await isHealthy()), SOON);
      assert.equal(await streams(), opened);
      assert.equal(await installed.inspect("{{.State.Running}} {{.RestartCount}}"), "true 0");
    });

    it("leaves no row of an agent that is deleted", async () => {
      const ids = new Set((await containersOf(agent.id)).map(({ id }) => id));
      assert.ok(ids.size >= 2);
      await send("DELETE", `/api/v1/agents/${agent.id}`, 204);
      assert.deepEqual(await containersOf(agent.id), []);
      await live.wait(({ type, data }) => type === "agent.deleted" && data["id"] === agent.id);
      assert.equal(await server.stop(), 0);
      const options = { clock: systemClock, log: silentLog };
      const url = env["SERVICE_DATABASE_URL"];
      const database =
        url === undefined
          ? openSqlite({ path: join(server.dataDir, "binnacle.db"), ...options })
          : openPostgres({ url, redactedUrl: url, ...options });
      await database.start();
      try {
        const isOfAgent = (row: Record<string, unknown>): boolean =>
          JSON.stringify(row).includes(agent.id) || ids.has(Number(row["container_id"]));
        const tables = await allRows(database, url === undefined ? "sqlite" : "postgresql");
        assert.ok([...tables.values()].some((rows) => rows.length > 0));
        const left = [...tables].flatMap(([table, rows]) => (rows.some(isOfAgent) ? [table] : []));
        assert.deepEqual(left, ["audit_entries"], "which alone still says that there was one, and who deleted it");
      } finally {
        await database.stop();
      }
    });
  }

  storyOnBothDatabases("enrolled by compose.yaml or docker run", story);
});
