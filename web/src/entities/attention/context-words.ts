import type { AlertContext, Preceding } from "../../../../src/publishing/overview/answers.ts";

/** What changed before an alert: `Image changed from web:1 to web:2`. */
export function precedingWords({ kind, from, to, container_name: name }: Preceding): string {
  switch (kind) {
    case "image_changed":
      return from === null || from === to ? `New content of image ${to}` : `Image changed from ${from} to ${to}`;
    case "recreated":
      return "Container re-created";
    case "state_changed":
      return from === null ? `Its container ${name} appeared, ${to}` : `Its container ${name} went from ${from} to ${to}`;
  }
}

/** The cause without the change of the image, which has a separate line. */
export function causeBeside(cause: string, preceding: readonly Preceding[]): string {
  if (!preceding.some(({ kind }) => kind === "image_changed")) return cause;
  return cause.replace(/(?:; |^)image changed [^;.]*/i, "").replace(/^\.$/, "");
}

/** A line of a log without its own time at its beginning, which is shown beside it. */
export function withoutTime(line: string): string {
  const rest = line.replace(/^(?:time=|ts=|\[)?"?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?"?\]?\s+/, "");
  return rest === "" ? line : rest;
}

/** A sentence that something follows. */
export function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

/** So much of a line finds it in its log. */
const FOUND_BY = 100;

/** Where a line is looked for in the log of its container: by its text, near its time. */
export function placeInLog({ text, at }: NonNullable<AlertContext["log_line"]>): { find: string; log_at: string } {
  return { find: withoutTime(text).replace(/…$/, "").slice(0, FOUND_BY).trim(), log_at: at };
}
