import { oneOf } from "../../../app/search-params.ts";

/** The clients that the set-up is shown for, the most usual first. */
export const CLIENTS = ["claude-code", "claude", "vs-code", "cursor", "other"] as const;
export type Client = (typeof CLIENTS)[number];

/** What the address of the assistants says. */
export interface AssistantsSearch {
  client?: Client | undefined;
}

export function assistantsSearch(search: Record<string, unknown>): AssistantsSearch {
  return { client: oneOf(search["client"], CLIENTS) };
}
