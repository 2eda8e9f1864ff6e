import type { Operation } from "./document.ts";

/** What the answer must be in addition to what the document requires. `found`: accepted, and of a record that is there. */
export type Expected = "accepted" | "found" | "refused" | "any" | 404 | 405 | 415;

/** One request, and what it is about. */
export interface Call {
  operation: Operation;
  phase: "examples" | "coverage" | "fuzzing" | "stateful";
  /** In words: what is special about it. */
  what: string;
  expected: Expected;
  /** Differs from the operation's where another is tried. */
  method: string;
  /** With its query, encoded. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface Inputs {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Undefined: none. */
  body?: unknown;
}

/** The call of an operation with these inputs. */
export function callOf(operation: Operation, inputs: Inputs, about: Pick<Call, "phase" | "what" | "expected">): Call {
  const media = mediaOf(operation);
  const hasBody = inputs.body !== undefined && media !== undefined;
  return {
    operation,
    ...about,
    method: operation.method,
    target: targetOf(operation, inputs),
    headers: hasBody ? { "content-type": media } : {},
    body: hasBody ? encoded(inputs.body, media) : undefined,
  };
}

/** The media type in which bodies are sent: JSON where it is taken. */
export function mediaOf({ body }: Operation): string | undefined {
  const medias = Object.keys(body?.content ?? {});
  const media = medias.includes("application/json") ? "application/json" : medias[0];
  return media === "*/*" ? "text/plain" : media;
}

function encoded(body: unknown, media: string): string {
  return media === "application/json" ? JSON.stringify(body) : String(body);
}

export function targetOf({ path }: Operation, inputs: Inputs): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(inputs.path[name])));
  const query = Object.entries(inputs.query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(each))}`),
  );
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

/** A value as it stands in an address. */
export function textOf(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed();
}
