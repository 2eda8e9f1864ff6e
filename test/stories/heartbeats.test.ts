import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { after, before, it } from "node:test";
import type { ExecutionList, HeartbeatDetail, HeartbeatRecord, PingList } from "../../src/monitoring/heartbeats/answers.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import { listen, type Listener } from "../support/event-source.ts";
import { runScript } from "../support/job-programs.ts";
import { type Program, startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

/** Jobs with nothing but a shell report to the whole program. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let env: Record<string, string>;
  let program: Program & { dataDir: string; port: number };
  let live: Listener;
  before(async () => {
    env = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock", SERVICE_LOG_LEVEL: "trace", ...(await databaseEnv()) };
    program = await startProgram({ env });
    live = await listen(`${program.url}/api/v1/containers/events`);
  });
  after(async () => {
    live?.close();
    await program?.stop();
  });

  async function make(body: object): Promise<HeartbeatRecord> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${program.url}/api/v1/heartbeats`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 201, await answer.clone().text());
    // The shape is the program's own.
    return (await answer.json()) as HeartbeatRecord;
  }
  const now = async ({ id }: HeartbeatRecord): Promise<HeartbeatRecord> =>
    (await program.get<HeartbeatDetail>(`/api/v1/heartbeats/${id}`)).heartbeat;
  const executions = ({ id }: HeartbeatRecord): Promise<ExecutionList> => program.get(`/api/v1/heartbeats/${id}/executions`);

  it("a cron job reports by its own crontab line: well, badly, and well again", async () => {
    const made = await make({ name: "nightly", cron: "0 3 * * *", timezone: "Europe/Berlin" });
    const { snippets } = await program.get<HeartbeatDetail>(`/api/v1/heartbeats/${made.id}`);
    const command = (snippets.crontab.trimEnd().split("\n").at(-1) ?? "").split(" ").slice(5).join(" ");
    for (const code of [0, 3, 0]) await runScript(command.replace("/path/to/job", `(sleep 0.1; exit ${code})`));
    const { executions: runs } = await executions(made);
    assert.deepEqual(
      runs.map(({ outcome, exit_code: code }) => [outcome, code]),
      [
        ["success", 0],
        ["failure", 3],
        ["success", 0],
      ],
    );
    assert.ok(runs.every(({ duration_ms: took }) => took !== null && took >= 100 && took < 60_000));
    assert.partialDeepStrictEqual(await now(made), { status: "up", reason: null, last_exit_code: 0, open_runs: 0 });
    await live.wait(({ type, data }) => type === "heartbeat.recovered" && data["id"] === made.id);
    const pinged = () => live.events.filter(({ type, data }) => type === "heartbeat.pinged" && data["id"] === made.id);
    await until(() => pinged().length >= 6);
    assert.deepEqual(
      pinged().map(({ data }) => data["status"]),
      ["started", "up", "started", "down", "started", "up"],
    );
  });

  it("a job that hangs is reported when its time is over", async () => {
    const made = await make({ name: "hangs", interval_seconds: 3600, max_runtime_seconds: 1 });
    assert.equal(await runScript(`curl -fsS '${made.ping_url}/start'`), 0);
    const { data } = await live.wait(({ type, data: change }) => type === "heartbeat.updated" && change["id"] === made.id);
    assert.partialDeepStrictEqual(data, { change: "timed_out", status: "down", previous_status: "started", reason: "timeout" });
    assert.partialDeepStrictEqual((await executions(made)).executions, [{ outcome: "timeout", duration_ms: 1000 }]);
  });

  it("what a job wrote is kept, its beginning at least: of a gigabyte too", { timeout: 180_000 }, async () => {
    const made = await make({ name: "talks", interval_seconds: 3600 });
    await runScript(`echo 'done: 3 files' | curl -fsS --data-binary @- '${made.ping_url}'`);
    const answer = await sendGigabyte(program.port, `/ping/${made.uuid}/log`);
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /connection: close/i);
    const { pings } = await program.get<PingList>(`/api/v1/heartbeats/${made.id}/pings`);
    assert.deepEqual(
      pings.map(({ kind, body, source_ip: from }) => [kind, body?.length, from]),
      [
        ["log", 10_240, "127.0.0.1"],
        ["success", 14, "127.0.0.1"],
      ],
    );
  });

  it("continues after a restart where it was, and never wrote an address into its log", async () => {
    const made = await make({ name: "overlaps", interval_seconds: 3600 });
    const rid = randomUUID();
    await runScript(`curl -fsS '${made.ping_url}/start?rid=${rid}'`);
    const before_ = await now(made);
    await until(() => program.log().includes("serving"));
    for (const path of [`/ping/${made.uuid}/256`, `/ping/${made.uuid}/start?rid=x`, `/ping/${made.uuid}/a/b`]) {
      assert.ok((await fetch(program.url + path)).status >= 400);
    }
    assert.ok(!program.log().includes(made.uuid), "the address of a ping is a password");
    live.close();
    const stoppedMs = Date.now();
    assert.equal(await program.stop(), 0);
    const { dataDir, port } = program;
    program = await startProgram({ env, dataDir, port });
    const { next_deadline_at: deadline, ...after_ } = await now(made);
    const { next_deadline_at: deadlineBefore, ...same } = before_;
    assert.deepEqual(after_, same);
    // By the time in which no ping could be taken.
    const movedMs = Date.parse(deadline ?? "") - Date.parse(deadlineBefore ?? "");
    assert.ok(movedMs > 0 && movedMs < Date.now() - stoppedMs, `moved by ${movedMs} ms`);
    await runScript(`curl -fsS '${made.ping_url}/0?rid=${rid}'`);
    assert.partialDeepStrictEqual((await executions(made)).executions, [{ outcome: "success", rid }]);
    assert.ok(!program.log().includes(made.uuid));
  });
}

/** Resolves to the answer once the connection is closed; that is long before the end of what is sent. */
function sendGigabyte(port: number, path: string): Promise<string> {
  const piece = Buffer.alloc(1_000_000, "x");
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    let left = 1000;
    socket.on("data", (chunk: Buffer) => void (text += chunk.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
    socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 1000000000\r\n\r\n`);
    const next = (): void => {
      while (left > 0 && !socket.destroyed) {
        left -= 1;
        if (!socket.write(piece)) return void socket.once("drain", next);
      }
    };
    next();
  });
}

storyOnBothDatabases("jobs that report", story);
