import { type LogLine, MAX_LOG_LINE_BYTES } from "./runtime.ts";

/** Ends the text of a line that was longer than {@link MAX_LOG_LINE_BYTES}. */
export const CUT_MARKER = " … [cut: line longer than 64 KiB]";

const EMPTY = Buffer.alloc(0);
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d) /;
const LONGEST_TIMESTAMP_BYTES = 36;
/** A line of the longest text comes in messages of 16 KiB, each with a timestamp. */
const MAX_HELD_BYTES = MAX_LOG_LINE_BYTES + 8 * LONGEST_TIMESTAMP_BYTES;

/** Puts the pieces of one stream together into lines. */
export interface LineAssembler {
  push(piece: { bytes: Buffer; begins: boolean }): LogLine[];
  /** The last line, when it did not end with a newline. */
  end(): LogLine[];
}

/**
 * The engine writes a timestamp before every message, and a long line is several messages with the same one. A message with another
 * timestamp is another line, even where the log driver left out the newline between. With `joinsFrames` a newline is only missing inside a line:
 * Podman sends what was written in pieces so, each with its own timestamp.
 */
export function createLineAssembler(stream: LogLine["stream"], { joinsFrames = false }: { joinsFrames?: boolean } = {}): LineAssembler {
  let line = emptyLine();
  /** The first bytes of a message or line, until they are enough to hold a timestamp. */
  let opening: Buffer | undefined = EMPTY;
  let lines: LogLine[] = [];
  const timeOf = createTimeReader();

  function add(bytes: Buffer): void {
    const rest = opening === undefined ? bytes : open(opening, bytes);
    const kept = rest.subarray(0, MAX_HELD_BYTES - line.bytes);
    line.cut ||= kept.length < rest.length;
    // Not even an empty part, which would keep the bytes behind it.
    if (kept.length === 0) return;
    line.parts.push(kept);
    line.bytes += kept.length;
  }

  /** Takes what an opening still needs, and gives back the rest. */
  function open(begun: Buffer, bytes: Buffer): Buffer {
    const needed = LONGEST_TIMESTAMP_BYTES - begun.length;
    opening = Buffer.concat([begun, bytes.subarray(0, needed)]);
    if (opening.length === LONGEST_TIMESTAMP_BYTES) closeOpening();
    return bytes.subarray(needed);
  }

  function closeOpening(): void {
    if (opening === undefined) return;
    const begun = opening;
    opening = undefined;
    const timestamp = TIMESTAMP.exec(begun.toString("latin1"))?.[0] ?? "";
    if (line.bytes > 0 && timestamp !== line.timestamp && !joinsFrames) finish();
    if (line.bytes === 0) line.timestamp = timestamp;
    add(begun.subarray(timestamp.length));
  }

  /** Takes a line that lies before us from its timestamp to its end, as most do. Answers whether it is one. */
  function takeWhole(bytes: Buffer, { beginsMessage }: { beginsMessage: boolean }): boolean {
    if (line.bytes > 0 || opening?.length !== 0 || bytes.length > MAX_LOG_LINE_BYTES) return false;
    const timestamp = TIMESTAMP.exec(bytes.toString("latin1", 0, LONGEST_TIMESTAMP_BYTES))?.[0];
    if (timestamp === undefined) return false;
    // A message has one timestamp; only where messages cannot be distinguished may another one follow.
    if (!beginsMessage && bytes.includes(timestamp, timestamp.length)) return false;
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    lines.push({ timestamp: timeOf(timestamp), stream, text: bytes.toString("utf8", timestamp.length, end) });
    return true;
  }

  function finish(): void {
    lines.push(readLine(line, stream));
    line = emptyLine();
  }

  function take(): LogLine[] {
    const taken = lines;
    lines = [];
    return taken;
  }

  return {
    push({ bytes, begins }) {
      if (begins) {
        closeOpening();
        opening = EMPTY;
      }
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        const rest = bytes.subarray(start, end);
        if (!takeWhole(rest, { beginsMessage: begins && start === 0 })) {
          add(rest);
          closeOpening();
          finish();
          opening = EMPTY;
        }
        start = end + 1;
      }
      if (start < bytes.length) add(bytes.subarray(start));
      return take();
    },
    end() {
      closeOpening();
      if (line.bytes > 0) finish();
      return take();
    },
  };
}

const MILLISECOND = "2026-01-01T00:00:00.000";

/** Reads timestamps; those of one millisecond, as lines have that are written together, are one object. */
function createTimeReader(): (timestamp: string) => Date {
  let latest = { start: "", end: "", time: new Date(0) };
  return (timestamp) => {
    // Below a millisecond nothing is kept; the zone follows the fraction.
    const start = timestamp.slice(0, MILLISECOND.length);
    const end = timestamp.slice(MILLISECOND.length).replace(/^\d*/, "");
    if (start !== latest.start || end !== latest.end) latest = { start, end, time: new Date(timestamp.trimEnd()) };
    return latest.time;
  };
}

interface HeldLine {
  timestamp: string;
  parts: Buffer[];
  bytes: number;
  cut: boolean;
}

function emptyLine(): HeldLine {
  return { timestamp: "", parts: [], bytes: 0, cut: false };
}

function readLine({ timestamp, parts, cut }: HeldLine, stream: LogLine["stream"]): LogLine {
  const bytes = withoutRepeats(Buffer.concat(parts), timestamp);
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  const tooLong = cut || end > MAX_LOG_LINE_BYTES;
  // Decoding as a stream leaves out a character that the cut went through.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, Math.min(end, MAX_LOG_LINE_BYTES)), {
    stream: tooLong,
  });
  return { timestamp: timestamp === "" ? null : new Date(timestamp.trimEnd()), stream, text: tooLong ? `${text}${CUT_MARKER}` : text };
}

/** A terminal's stream has no frames, so that a message inside a line shows only by the repeated timestamp. */
function withoutRepeats(bytes: Buffer, timestamp: string): Buffer {
  if (timestamp === "" || !bytes.includes(timestamp)) return bytes;
  const parts: Buffer[] = [];
  let start = 0;
  for (let found = bytes.indexOf(timestamp); found >= 0; found = bytes.indexOf(timestamp, start)) {
    parts.push(bytes.subarray(start, found));
    start = found + timestamp.length;
  }
  return Buffer.concat([...parts, bytes.subarray(start)]);
}
