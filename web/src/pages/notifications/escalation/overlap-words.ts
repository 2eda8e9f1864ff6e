import type { Overlaps } from "../../../../../src/alerting/escalation/answers.ts";
import { capitalise, orWords } from "../../../../../src/contract/words.ts";
import { SEVERITY_WORDS } from "../../../format/alert-words.ts";

/** Which alerts start another policy too, and whom both notify. */
export function overlapWords(
  { policy_name, shared_severities, shared_tags, shared_channels }: Overlaps["overlapping"][number],
  channelName: (id: number) => string,
): string {
  const severities = orWords(shared_severities.map((severity) => SEVERITY_WORDS[severity].word.toLowerCase()));
  const alerts = severities === "" ? "Alerts" : `${capitalise(severities)} alerts`;
  const tagged = shared_tags.length === 0 ? "" : ` tagged ${orWords(shared_tags)}`;
  const both =
    shared_channels.length === 0 ? "no channel is notified by both" : `both notify ${shared_channels.map(channelName).join(", ")}`;
  return `${alerts}${tagged} start "${policy_name}" too; ${both}.`;
}

/** When a level is notified, counted from the start: `At once`, `After 10 min`. */
export function delayWords(words: string): string {
  return words === "0 s" ? "Immediately" : `After ${words}`;
}
