import type { Readable } from "node:stream";
import type { z } from "zod";
import type { NetworkAddress } from "../../runtime.ts";

/** Why the API server gave no data. `reason` is its own word, as in `Forbidden` or `Expired`. */
export interface ApiRefusal {
  status: number;
  reason: string | null;
  message: string;
}

export type ApiAnswer<Data> = { data: Data } | { refused: ApiRefusal };

export interface ReadOptions {
  query?: Record<string, string>;
  signal: AbortSignal;
  timeoutMs?: number;
  /** For a resource that is wanted in another shape than its own; see reflector.ts. */
  accept?: string;
}

export interface StreamOptions extends Omit<ReadOptions, "timeoutMs"> {
  /** How long its beginning may take. */
  timeoutMs?: number;
  /** How long nothing may come; absent: for ever. */
  idleTimeoutMs?: number;
}

/**
 * Asks an API server, bounded in size and time. What it refuses is an answer; what is not reached throws `runtime_unavailable` with a reason and a
 * remedy. Redirects are not followed. Credentials that are refused are read anew once.
 */
export interface KubernetesClient {
  /** https://host:port, without credentials. */
  readonly address: string;
  /** Where on the network it is: by a name from the first look-up on. */
  networkAddresses(): readonly NetworkAddress[];
  /** Of the service account or the context. */
  readonly namespace: string | null;
  read<T>(schema: z.ZodType<T>, path: string, options: ReadOptions): Promise<ApiAnswer<T>>;
  /** Only for leases and access reviews. */
  write<T>(schema: z.ZodType<T>, method: "POST" | "PUT", path: string, body: unknown, options: ReadOptions): Promise<ApiAnswer<T>>;
  /** An answer that is read as it comes: watches, logs, long lists. Its body fails with `runtime_unavailable`. */
  stream(path: string, options: StreamOptions): Promise<{ body: Readable } | { refused: ApiRefusal }>;
  close(): Promise<void>;
}
