import { createHash } from "node:crypto";
import { AGENT_ID } from "./row.ts";
import { startOnFilledDatabase } from "./server.ts";

/** Of a longer array only the digest is kept, or of objects the first ones. */
const MOST_VALUES = 30;
const OBJECTS_KEPT = 5;
/** Drawn by chance at each start, or texts of the program and not of the database. */
const LEFT_OUT: ReadonlySet<string> = new Set(["next_scan_at", "update_command", "rollback_command", "snippets"]);

/** What is asked of a filled database. Left out is what describes the program and the moment, not what was stored. */
const QUESTIONS: readonly string[] = [
  ...["agents", `agents/${AGENT_ID}`, "agents/enrollment-tokens"],
  ...["containers", "containers?archived=true", "containers/1", "containers/2", "containers/3", "containers/4"],
  ...["containers/1/transitions", "containers/2/transitions", "containers/2/uptime/daily", "containers/1/endpoints"],
  ...["1h", "6h", "24h", "7d", "30d"].map((range) => `containers/1/resources/history?range=${range}`),
  ...["containers/3/resources/history?range=24h", "containers/1/resources/current", "containers/1/resources/alerts"],
  ...["resources/summary", "resources/top", "resources/hosts", "resources/thresholds", "resources/sparklines"],
  ...["endpoints", "endpoints/1", "endpoints/1/checks", "endpoints/2/checks", "endpoints/1/uptime/daily"],
  ...["endpoints/1/response-times", "dashboard/sparklines", "certificates", "certificates/1", "certificates/1/checks"],
  ...["heartbeats", "heartbeats/1", "heartbeats/2", "heartbeats/1/executions", "heartbeats/2/pings", "heartbeats/2/uptime/daily"],
  ...["updates", "updates/summary", "updates/scan/4c2a8d7e-9a51-4b61-bb0f-1f5f0c6b8a01", "updates/dry-run", "updates/container/1"],
  ...["updates/container/2", "updates/exclusions", "security/insights", "security/insights/1", "security/summary", "security/posture"],
  ...["security/posture/containers", "security/posture/containers/1", "security/acknowledgments"],
  ...["channels", "channels/1", "alert-triggers", "alert-triggers/1", "silence", "status/maintenance"],
  ...["escalation-policies", "escalation-policies/1", "escalation-policies/1/runs", "alerts/1/escalation-runs", "escalation-runs/1"],
  ...["alerts", "alerts/active", "alerts/1", "alerts/2", "alerts/1/trace", "deliveries"],
  ...["status/settings", "status/groups", "status/components", "status/incidents", "status/incidents/1", "status/subscribers"],
  ...["webhooks", "webhooks/1", "webhooks/1/deliveries", "mcp/connections"],
].map((path) => `/api/v1/${path}`);

/** What the program answers over a filled database, by path. Answers that are not 200 are a mistake in the questions. */
export async function answersOf(databaseEnv: Record<string, string>): Promise<Record<string, unknown>> {
  const server = await startOnFilledDatabase(databaseEnv);
  try {
    const answers: Record<string, unknown> = {};
    for (const path of [...QUESTIONS, "/status/api"]) {
      const answer = await fetch(server.url + path);
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      answers[path] = shortened(await answer.json());
    }
    return answers;
  } finally {
    await server.stop();
  }
}

function shortened(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).flatMap(([name, each]) => (LEFT_OUT.has(name) ? [] : [[name, shortened(each)]])));
  if (value.length <= MOST_VALUES) return value.map(shortened);
  const more = `${value.length} values`;
  if (value.some((each) => typeof each === "object" && each !== null)) return [...value.slice(0, OBJECTS_KEPT).map(shortened), more];
  return `${more}, ${createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16)}`;
}
