/** One small change of a source that a test should notice. */
export type Kind = "negate" | "bound" | "delete" | "await" | "constant";

export interface Mutation {
  /** From the root of the project. */
  path: string;
  line: number;
  kind: Kind;
  /** Characters of the file that are replaced. */
  start: number;
  end: number;
  before: string;
  after: string;
}

/** The text with the mutation in it. Throws when the text is not the one that the mutation was found in. */
export function mutate(text: string, { path, line, start, end, before, after }: Mutation): string {
  if (text.slice(start, end) !== before) throw new Error(`${path}:${line} is not as it was when its mutation was drawn`);
  return text.slice(0, start) + after + text.slice(end);
}

/** On one line: where, what kind, and what becomes of what. */
export function describeMutation({ path, line, kind, before, after }: Mutation): string {
  return `${path}:${line}  ${kind}  ${short(before)}  ->  ${short(after)}`;
}

function short(code: string): string {
  const line = code.replace(/\s+/g, " ");
  return line.length > 90 ? `${line.slice(0, 87)}...` : line;
}
