import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { isAudited } from "../../src/http/audit.ts";
import type { AuditEntry } from "../../src/administration/audit/entry.ts";
import type { AuditList } from "../../src/administration/audit/answers.ts";
import { declaredByServer } from "../../tools/declared.ts";
import { type Caller, createCaller } from "../support/contract/caller.ts";
import { type Document, type Operation, readOperations } from "../support/contract/document.ts";
import { goodInputs } from "../support/contract/inputs.ts";
import { createKnown } from "../support/contract/known.ts";
import { credentialsFor, startDescribedProgram } from "../support/contract/program.ts";
import { callOf } from "../support/contract/requests.ts";
import { storyOnBothDatabases } from "../support/story-databases.ts";
import type { Program } from "../support/program.ts";
import { until } from "../support/until.ts";

/** Unsafe by their method, and in no audit log: the reason stands at their routes. */
const UNAUDITED = [
  "delete_mcp",
  "post_api_v1_alert_triggers_simulate",
  "post_api_v1_escalation_policies_overlap_probe",
  "post_api_v1_silence_preview",
  "post_mcp",
  "post_oauth_token",
  "post_ping_uuid",
  "post_ping_uuid_exit_code",
  "post_ping_uuid_fail",
  "post_ping_uuid_log",
  "post_ping_uuid_start",
  "post_status_confirm",
  "post_status_subscribe",
  "post_status_unsubscribe",
];
const ORDER = ["POST", "PUT", "PATCH", "DELETE"];

/** Nothing that changes something is missing from the audit log, whichever operation does it. */
storyOnBothDatabases("the audit log", (databaseEnv) => {
  let program: Program;
  let document: Document;
  let caller: Caller;
  const known = createKnown();
  before(async () => {
    ({ program, document } = await startDescribedProgram(await databaseEnv()));
    caller = createCaller(program.url, credentialsFor);
    for (const { method, path, parameters } of readOperations(document)) {
      if (method !== "GET" || !path.startsWith("/api/v1/") || parameters.some((each) => each.in === "path")) continue;
      const { text } = await caller.send({ method, target: path, headers: {}, body: undefined });
      // An export is one object a line.
      if (text.startsWith("{") && !path.endsWith("/export")) known.learn(JSON.parse(text));
    }
  });
  after(async () => {
    caller?.close();
    await program?.stop();
  });

  async function entriesOf(operation: string): Promise<AuditEntry[]> {
    const answer = await fetch(`${program.url}/api/v1/audit?operation=${operation}`, { headers: credentialsFor("/api") });
    return ((await answer.json()) as AuditList).entries;
  }

  /** Runs it as its schema says, with a session where it asks for one. */
  async function run(operation: Operation): Promise<number> {
    const inputs = goodInputs(operation, known, { seed: 7 });
    assert.ok(inputs !== undefined, operation.id);
    const call = callOf(operation, inputs, { phase: "examples", what: "", expected: "any" });
    const cookie = operation.path === "/logout" ? { cookie: await login() } : {};
    const { status } = await caller.send({ ...call, headers: { ...call.headers, ...cookie } });
    return status;
  }

  async function login(): Promise<string> {
    const token = credentialsFor("/api")["authorization"]?.replace("Bearer ", "") ?? "";
    const answer = await fetch(`${program.url}/login`, { method: "POST", body: new URLSearchParams({ token }), redirect: "manual" });
    return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  }

  it("has an entry of every unsafe operation", async (context) => {
    const unsafe = readOperations(document)
      .filter(({ method, id }) => method !== "GET" && !UNAUDITED.includes(id))
      .toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
    const outcomes = new Map<string, string>();
    for (const operation of unsafe) {
      const earlier = (await entriesOf(operation.id)).length;
      const status = await run(operation);
      const entries = await until(
        async () => {
          const found = await entriesOf(operation.id);
          return found.length > earlier ? found : undefined;
        },
        { withinMs: 5000, what: `an entry of ${operation.id}, which answered ${status}` },
      );
      assert.equal(entries[0]?.outcome, status < 400 ? "done" : "refused", `${operation.id} answered ${status}`);
      outcomes.set(operation.id, entries[0].outcome);
    }
    const done = [...outcomes].filter(([, outcome]) => outcome === "done").map(([id]) => id);
    context.diagnostic(`${unsafe.length} operations, done: ${done.join(" ")}`);
    assert.ok(done.length >= unsafe.length / 3, done.join(" "));
  });

  it("leaves out only operations that are listed", async () => {
    const { routes } = await declaredByServer();
    const left = routes.filter((route) => route.method !== "GET" && !isAudited(route));
    const ids = readOperations(document)
      .filter(({ method, path }) => left.some((route) => route.method === method && route.path === path))
      .map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), UNAUDITED);
  });

  it("says nothing of the secrets that were sent or given out", async () => {
    const answer = await fetch(`${program.url}/api/v1/audit/export?format=csv`, { headers: credentialsFor("/api") });
    assert.match(answer.headers.get("content-disposition") ?? "", /audit\.csv/);
    const text = await answer.text();
    assert.match(text, /^id,at,actor_kind/);
    assert.doesNotMatch(text, /contract-0123456789abcdef/);
  });
});
