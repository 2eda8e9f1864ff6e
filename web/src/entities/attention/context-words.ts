import type { Preceding } from "../../../../src/publishing/overview/answers.ts";

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
