/** When the filled database was used last; the tests open it at this time. */
export const NOW_MS = Date.parse("2026-03-01T12:00:00.000Z");

export const AGENT_ID = "6f1c0f5e-0d3b-4c57-9a55-3f6f0d2b7a10";
export const NGINX_DIGEST = `sha256:${"1a".repeat(32)}`;
export const NEWER_NGINX_DIGEST = `sha256:${"2b".repeat(32)}`;

export type Row = Readonly<Record<string, string | number | Uint8Array | null>>;
/** The rows of some tables, by table. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** A time before the database was used last. */
export function ago(ms: number): number {
  return NOW_MS - ms;
}

export function json(value: unknown): string {
  return JSON.stringify(value);
}
