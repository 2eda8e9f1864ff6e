import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { CertificateStatus } from "../../src/events.ts";
import type {
  CertificateCheckList,
  CertificateDetail,
  CertificateList,
  CertificateRecord,
} from "../../src/monitoring/certificates/answers.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { startEngine, type TestEngine } from "../support/engine.ts";
import { listen, type Listener } from "../support/event-source.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../support/images.ts";
import { type Program, startProgram } from "../support/program.ts";
import { type Animal, ANIMALS, startTlsZoo, type TlsZoo } from "../support/tls-zoo.ts";
import { until } from "../support/until.ts";

/** What becomes of each animal, and what must be reported of it; null where nothing is wrong. */
const EXPECTED: Record<Animal, [status: CertificateStatus, message: RegExp | null]> = {
  good: ["valid", null],
  stapled: ["valid", null],
  forgedStaple: ["valid", null],
  ipSan: ["valid", null],
  wildcard: ["valid", null],
  idn: ["valid", null],
  expiring: ["expiring", /^It expires on .* in 4 days\.$/],
  expired: ["expired", /"expired" expired on/],
  notYetValid: ["chain_invalid", /"notYetValid" is not valid before/],
  wrongHost: ["chain_invalid", /not for localhost/],
  missingIntermediate: ["chain_invalid", /intermediate certificate is missing/],
  wrongOrder: ["chain_invalid", /wrong order/],
  selfSigned: ["chain_invalid", /self-signed/],
  unknownRoot: ["chain_invalid", /"Strange Root"/],
  expiredIntermediate: ["chain_invalid", /"Old Intermediate" expired/],
  expiredRoot: ["chain_invalid", /"Old Root" expired/],
  notCa: ["chain_invalid", /not an authority's/],
  impostor: ["chain_invalid", /signature/],
  pathTooLong: ["chain_invalid", /allows 0 authorities/],
  clientOnly: ["chain_invalid", /not meant for servers/],
  forbiddenName: ["chain_invalid", /refused by clients/],
  sha1: ["chain_invalid", /SHA-1/],
  weakKey: ["chain_invalid", /weak key/],
  revoked: ["chain_invalid", /was revoked/],
};

/** Certificates of real peers, from the outside. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let zoo: TlsZoo;
  let engine: TestEngine;
  let containers: TestContainers;
  let program: Program;
  let live: Listener;

  before(async () => {
    zoo = await startTlsZoo();
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    const env = { SERVICE_DOCKER_HOST: engine.host, SERVICE_CA_CERT: zoo.rootFile, ...(await databaseEnv()) };
    program = await startProgram({ env });
    live = await listen(`${program.url}/api/v1/containers/events`);
  });

  after(async () => {
    live?.close();
    await program?.stop();
    await containers?.removeAll();
    await engine?.stop();
    await zoo?.stop();
  });

  async function send<Answer>(method: string, path: string, body?: object): Promise<{ status: number; body: Answer }> {
    const payload = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(program.url + path, { method, ...payload });
    const text = await answer.text();
    return { status: answer.status, body: (text === "" ? {} : JSON.parse(text)) as Answer };
  }
  const list = async (query = ""): Promise<CertificateRecord[]> =>
    (await program.get<CertificateList>(`/api/v1/certificates${query}`)).certificates;
  async function watch(animal: Animal): Promise<CertificateDetail> {
    const { domain, port, serverName } = zoo.target(animal);
    const { status, body } = await send<CertificateDetail>("POST", "/api/v1/certificates", { domain, port, server_name: serverName });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }
  const alerts = (id: number, type = "certificate.alert"): unknown[] =>
    live.events.filter((event) => event.type === type && event.data["id"] === id).map(({ data }) => data["alert"]);

  for (const animal of ANIMALS) {
    const [status, message] = EXPECTED[animal];
    it(`calls ${animal} ${status}, says why, and sees its renewal`, async () => {
      const { certificate, latest_check } = await watch(animal);
      assert.equal(certificate.status, status, certificate.message ?? "");
      if (message === null) assert.equal(certificate.message, null);
      else assert.match(certificate.message ?? "", message);
      assert.equal(latest_check?.chain.length !== 0, true);
      const wrong = status === "valid" ? [] : [status];
      assert.deepEqual(certificate.alerting, wrong);
      const { id } = certificate;
      await until(() => alerts(id).length === wrong.length);
      assert.deepEqual(alerts(id), wrong);

      await zoo.renew(animal);
      const renewed = (await send<CertificateDetail>("POST", `/api/v1/certificates/${id}/check`)).body;
      assert.partialDeepStrictEqual(renewed, { certificate: { status: "valid", message: null, alerting: [], days_until_expiry: 89 } });
      assert.notEqual(renewed.latest_check?.fingerprint_sha256, latest_check?.fingerprint_sha256);
      await until(() => alerts(id, "certificate.recovery").length === wrong.length);
      assert.deepEqual(alerts(id, "certificate.recovery"), wrong);
      const { checks } = await program.get<CertificateCheckList>(`/api/v1/certificates/${id}/checks`);
      assert.deepEqual(
        checks.map((check) => check.status),
        ["valid", status],
      );
    });
  }

  it("watches what an https endpoint leads to, and what a label asks for", async () => {
    const port = zoo.port("good");
    const made = await send<{ id: number }>("POST", "/api/v1/endpoints", { type: "http", target: `https://127.0.0.1:${port}/` });
    await containers.run("labelled", ["--label", `service.certificate.domain=127.0.0.1:${zoo.port("stapled")}`]);
    const [ofEndpoint, ofLabel] = await until(
      async () => {
        const found = [await list("?source=endpoint"), await list("?source=label")].flat();
        return found.length === 2 && found.every(({ status }) => status === "valid") ? found : undefined;
      },
      { withinMs: 30_000, everyMs: 100 },
    );
    assert.deepEqual([ofEndpoint?.endpoint_id, ofEndpoint?.port, ofLabel?.port], [made.body.id, port, zoo.port("stapled")]);
    await send("DELETE", `/api/v1/endpoints/${made.body.id}`);
    await until(async () => (await list("?source=endpoint")).length === 0, { everyMs: 100 });
  });

  it("says that nobody is there, within the time of a request", async () => {
    const refused = await send<CertificateDetail>("POST", "/api/v1/certificates", { domain: "127.0.0.1", port: 1 });
    assert.deepEqual([refused.status, refused.body.certificate.status], [201, "unreachable"]);
    assert.match(refused.body.certificate.message ?? "", /127\.0\.0\.1:1/);
  });
}

storyOnBothDatabases("certificates of a TLS zoo", story);
