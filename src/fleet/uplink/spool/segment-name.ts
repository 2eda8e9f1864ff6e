/** What the name of a segment file tells, so that a start need not read it. */
export interface SegmentFacts {
  firstSeq: number;
  lastSeq: number;
  /** Records in it. */
  count: number;
  /** When the newest of its events was observed. */
  newestMs: number;
}

const SEALED = /^(\d{16})-(\d{1,16})-(\d{1,10})-(-?\d{1,16})\.seg$/;
const OPEN = /^(\d{16})\.open$/;

/** The name of a file that gets no more records. */
export function sealedName({ firstSeq, lastSeq, count, newestMs }: SegmentFacts): string {
  return `${digits(firstSeq)}-${lastSeq}-${count}-${Math.round(newestMs)}.seg`;
}

/** The name of the file that is written to; after a crash it is read to learn what it holds. */
export function openName(firstSeq: number): string {
  return `${digits(firstSeq)}.open`;
}

/** undefined when it is not the name of a sealed segment. */
export function factsOf(name: string): SegmentFacts | undefined {
  const [, firstSeq, lastSeq, count, newestMs] = SEALED.exec(name) ?? [];
  if (firstSeq === undefined) return undefined;
  return { firstSeq: Number(firstSeq), lastSeq: Number(lastSeq), count: Number(count), newestMs: Number(newestMs) };
}

export function isOpenName(name: string): boolean {
  return OPEN.test(name);
}

/** The first seq of the file that is written to; undefined for other names. */
export function firstSeqOf(openedName: string): number | undefined {
  const [, seq] = OPEN.exec(openedName) ?? [];
  return seq === undefined ? undefined : Number(seq);
}

function digits(seq: number): string {
  return String(seq).padStart(16, "0");
}
