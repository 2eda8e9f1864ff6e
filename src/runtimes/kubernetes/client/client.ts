import type { Readable } from "node:stream";
import type { z } from "zod";
import { ServiceError } from "../../../platform/errors.ts";
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
}

/** The timeout is for its beginning. */
export interface StreamOptions extends ReadOptions {
  /** Absent: JSON. */
  accept?: string;
  /** How long nothing may come; absent: for ever. */
  idleTimeoutMs?: number;
}

/**
 * Asks an API server, bounded in size and time. What it refuses is an answer; what is not reached throws `runtime_unavailable` with a reason and a
 * remedy. Redirects are not followed. Credentials that are refused are read again once.
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

/** A kind as the API server serves it. `group` "" is the core group. */
export interface ApiResource {
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
}

/** The path of a resource: of all of them, of those of a namespace, or of one by its name. */
export function resourcePath(
  { group, version, plural, namespaced }: Pick<ApiResource, "group" | "version" | "plural" | "namespaced">,
  { namespace, name }: { namespace: string | null; name?: string },
): string {
  return [
    group === "" ? `/api/${version}` : `/apis/${group}/${version}`,
    ...(namespaced && namespace != null ? ["namespaces", segment(namespace)] : []),
    plural,
    ...(name === undefined ? [] : [segment(name)]),
  ].join("/");
}

/** As `pods`, or `deployments.apps`: how roles and kubectl name it. */
export function resourceName({ group, plural }: Pick<ApiResource, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** A name comes from the cluster or an address of ours: it must not lead elsewhere. */
function segment(name: string): string {
  if (["", ".", ".."].includes(name)) throw new ServiceError("not_found", "No object of Kubernetes has such a name.");
  return encodeURIComponent(name);
}
