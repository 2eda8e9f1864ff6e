import { z } from "zod";
import { MINUTE_MS } from "../../../contract/time.ts";
import { ServiceError } from "../../../platform/errors.ts";
import { nextTurnWhenDue } from "../../../platform/clock.ts";
import type { ApiRefusal, KubernetesClient, StreamOptions } from "./client.ts";
import { parseJson } from "../../json.ts";
import { ListScanner } from "../../list-scanner.ts";

/** Etcd takes no object above 1.5 MB; as JSON with its managed fields it may be larger. */
export const MAX_OBJECT_BYTES = 8 * 1024 * 1024;
/** Of one list, over all of its pages. */
export const MOST_ITEMS = 200_000;
const PAGE_ITEMS = 500;
/** A page that is not whole by then is given up. */
const PAGE_IDLE_MS = MINUTE_MS;

const frame = z.object({
  kind: z.string(),
  metadata: z.object({ resourceVersion: z.string(), continue: z.string().nullish() }),
});

export interface ListRequest {
  path: string;
  fieldSelector?: string | undefined;
  /** In pages, as of one time each; else all at once. */
  isPaged: boolean;
  signal: AbortSignal;
  /** Called with each object as it comes; null for one that is too large. */
  onItem: (json: string | null) => void;
}

export type ListOutcome = { resourceVersion: string; isCut: boolean } | { refused: ApiRefusal };

/**
 * Reads a list page by page and gives each object away as it comes, at most {@link MOST_ITEMS}. The list is as of one resource version, from which it can be
 * watched on. Status 410 means that this took too long, and has to be started over.
 */
export async function readList(
  client: Pick<KubernetesClient, "address" | "stream">,
  { path, fieldSelector, isPaged, signal, onItem }: ListRequest,
): Promise<ListOutcome> {
  let token: string | undefined;
  let resourceVersion: string | undefined;
  let count = 0;
  do {
    const query = {
      ...(isPaged && { limit: String(PAGE_ITEMS) }),
      ...(token !== undefined && { continue: token }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    };
    const page = await readItems(client, path, {
      ...{ query, signal },
      onItem(item) {
        count += 1;
        if (count > MOST_ITEMS) return false;
        onItem(item);
        return true;
      },
    });
    if ("refused" in page) return page;
    if (page.envelope === undefined) return { resourceVersion: resourceVersion ?? "", isCut: true };
    const parsed = frame.safeParse(parseJson(page.envelope));
    if (!parsed.success || !parsed.data.kind.endsWith("List"))
      throw new ServiceError(
        "runtime_unavailable",
        `The Kubernetes API at ${client.address} cannot be used: the answer to ${path} is no list that is whole. It is tried again.`,
      );
    ({ resourceVersion } = parsed.data.metadata);
    token = parsed.data.metadata.continue || undefined;
  } while (token !== undefined);
  return { resourceVersion, isCut: false };
}

/**
 * Reads one answer with a list and gives its items away as they come, until `onItem` answers false. The envelope is the rest of it; undefined when its end
 * was not read.
 */
export async function readItems(
  client: Pick<KubernetesClient, "stream">,
  path: string,
  {
    onItem,
    ...options
  }: Pick<StreamOptions, "query" | "signal"> & {
    /** null: it is too large. */
    onItem: (json: string | null) => boolean;
  },
): Promise<{ envelope: string | undefined } | { refused: ApiRefusal }> {
  const answer = await client.stream(path, { ...options, idleTimeoutMs: PAGE_IDLE_MS });
  if ("refused" in answer) return answer;
  const scanner = new ListScanner("items", MAX_OBJECT_BYTES);
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    for (const item of scanner.push(chunk)) {
      if (!onItem(item)) return { envelope: undefined };
      const turn = nextTurnWhenDue();
      if (turn !== undefined) await turn;
    }
  }
  return { envelope: scanner.envelope() };
}
