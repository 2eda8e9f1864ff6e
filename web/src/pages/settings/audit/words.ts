import type { AuditEntry } from "../../../../../src/administration/audit/answers.ts";
import { capitalise } from "../../../../../src/contract/words.ts";

export type AuditActor = AuditEntry["actor"]["kind"];

export const ACTOR_WORDS: Readonly<Record<AuditActor, string>> = {
  session: "Session",
  admin_token: "Admin token",
  assistant: "Assistant",
  anyone: "Anyone",
  system: "Binnacle",
};

const VERBS: Readonly<Record<string, string>> = { post: "Create", put: "Change", patch: "Change", delete: "Delete" };

/** What was done, of its operation: `put_api_v1_heartbeats_id` is "Change heartbeat", `post_api_v1_heartbeats_id_pause` "Pause heartbeat". */
export function operationWords({ operation, entity }: Pick<AuditEntry, "operation" | "entity">): string {
  const fixed = FIXED[operation];
  if (fixed !== undefined) return fixed;
  const [method = "", ...rest] = operation.split("_");
  const verb = VERBS[method];
  if (verb === undefined) return capitalise(operation.replaceAll("_", " "));
  const act = rest.slice(rest.lastIndexOf("id") + 1).join(" ");
  const thing = entity?.type ?? "";
  if (rest.includes("id") && act !== "") return method === "post" ? `${capitalise(act)}: ${thing}` : `${verb} ${act} of ${thing}`;
  return `${verb} ${thing}`.trim();
}

const FIXED: Readonly<Record<string, string>> = {
  post_login: "Log in",
  post_logout: "Log out",
  delete_api_v1_sessions: "Log out everywhere",
  post_oauth_authorize: "Allow an assistant",
  post_oauth_revoke: "Revoke an assistant's token",
  post_api_v1_updates_scan: "Scan for updates",
  post_api_v1_status_incidents_id_updates: "Add an update to status incident",
};

/** Times that follow from the change itself. */
const IMPLIED = new Set(["created_at", "updated_at"]);
/** Longer values are cut; the export has them whole. */
const MAX_LENGTH = 60;

/** `interval: 60 → 90`, one for each field; what is empty or follows from the change is left out. */
export function changeWords({ before, after }: Pick<AuditEntry, "before" | "after">): { name: string; text: string }[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => !IMPLIED.has(name));
  return names.flatMap((name) => {
    const [old, now] = [before?.[name], after?.[name]].map((value) => (value === undefined ? undefined : short(String(value ?? "none"))));
    const text = old === undefined || now === undefined ? (now ?? old ?? "") : `${old || "empty"} → ${now || "empty"}`;
    return text === "" ? [] : [{ name, text }];
  });
}

function short(text: string): string {
  const characters = [...text];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join("")}…` : text;
}
