import { capitalise } from "../../../../src/contract/words.ts";

/** A capability's name for people: `channel_slack` is the Slack channel. One that is not known here keeps its own words. */
export function capabilityName(name: string): string {
  const [kind = "", subject = ""] = name.split(/_(.*)/s);
  if (kind === "history") return `History of ${subject.replace(/^(\d+)/, "$1 ")}`;
  if (kind === "channel") return `${capitalise(subject === "email" ? "email" : subject)} channel`;
  return capitalise(name.replaceAll("_", " ")).replace(/\bcve\b/i, "CVE");
}
