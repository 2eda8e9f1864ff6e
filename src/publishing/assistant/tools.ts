import { type Tool, tool } from "../../mcp/tool.ts";
import { type Changes, changesSchemas, type ChangesInput, explainSchemas, type Explanation } from "./answers.ts";

export interface AssistantTools {
  /** Records in it may be wider than declared. */
  explain(alertId: number, signal: AbortSignal): Promise<Explanation>;
  whatChanged(input: ChangesInput): Promise<Changes>;
}

/** The tools that join what several features remember. */
export function assistantTools({ explain, whatChanged }: AssistantTools): Tool[] {
  const explanation = explainSchemas();
  const changes = changesSchemas();
  return [
    tool({
      name: "explain_alert",
      title: "Explain an alert",
      description:
        "Why one alert was raised, from records alone: findings (each with the ids of the records it rests on), what is missing, who was notified and why, " +
        "and around the moment the container's state changes, last log lines, CPU and memory, response times, image changes, checks or job runs, what changed on the host in " +
        "the hour before, earlier times, the next escalation, and related alerts. " +
        "Use it first for any question about an alert; cite the ids. list_alerts finds the alert, what_changed shows what else happened.",
      ...explanation,
      finder: "list_alerts",
      // Records have more fields than what is shown of them.
      handle: async ({ alert_id: alertId }, { signal }) => explanation.output.parse(await explain(alertId, signal)),
    }),
    tool({
      name: "what_changed",
      title: "What changed",
      description:
        "Everything that changed since a time, or between two, newest first: containers that appeared, changed state or were removed, other images, alerts raised, ended or " +
        "acknowledged, endpoints and heartbeats, certificates, newly found updates, agents, status page updates. Begins with counts by kind; kinds narrows it. Each change names " +
        "the record it rests on. Use explain_alert for one alert, list_alerts for all that is wrong now.",
      ...changes,
      handle: whatChanged,
    }),
  ];
}
