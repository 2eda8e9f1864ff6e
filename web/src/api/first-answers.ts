/** An id of an event: which start of the server it is of, and its number there. Source: src/publishing/live/hub.ts. */
const ID = /^(.+)-(\d+)$/;

let oldest: { id: string; start: string; number: number } | undefined;

/** Notes the newest event before an answer was made. That of another start than the first one's is left out: the server says itself that it forgot what was before. */
export function noteNewestEvent(id: string | null): void {
  const [, start, digits] = ID.exec(id ?? "") ?? [];
  if (id === null || start === undefined) return;
  const number = Number(digits);
  if (oldest === undefined || (oldest.start === start && number < oldest.number)) oldest = { id, start, number };
}

/** The event after which a stream misses nothing that any of the answers so far does not show; undefined without answers. */
export function eventBeforeAnswers(): string | undefined {
  return oldest?.id;
}
